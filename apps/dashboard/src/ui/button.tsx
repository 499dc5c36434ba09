import type { ButtonHTMLAttributes, ReactNode } from 'react';
import { Icon, type IconName } from './icons.js';

interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className'> {
  readonly look?: 'plain' | 'main' | 'danger' | 'quiet';
  readonly icon?: IconName;
  /** Something is under way: it can't be pressed again, and says so. */
  readonly busy?: boolean;
  readonly children?: ReactNode;
}

/** A button that keeps its focus while it is busy: a disabled one would lose it. */
export function Button({ look = 'plain', icon, busy = false, children, onClick, disabled, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={`button ${look}`}
      aria-disabled={busy || disabled || undefined}
      aria-busy={busy || undefined}
      disabled={disabled}
      onClick={(event) => {
        if (busy) event.preventDefault();
        else onClick?.(event);
      }}
    >
      {busy ? <span className="spinner" aria-hidden="true" /> : icon && <Icon name={icon} />}
      {children}
    </button>
  );
}
