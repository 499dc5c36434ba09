import type { ButtonHTMLAttributes, ReactNode } from 'react';
import { Icon, type IconName } from './icons.js';

interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className'> {
  readonly look?: 'plain' | 'main' | 'danger' | 'quiet';
  readonly icon?: IconName;
  /** Something is under way: it can't be pressed again, and says so. */
  readonly busy?: boolean;
  /** There is nothing for it to do now, as after its own success: it can't be pressed, and keeps the focus. */
  readonly idle?: boolean;
  readonly children?: ReactNode;
}

/** A button that keeps its focus while it is busy or idle: a disabled one would lose it. */
export function Button(props: ButtonProps) {
  const { look = 'plain', icon, busy = false, idle = false, children, onClick, disabled, ...rest } = props;
  return (
    <button
      type="button"
      {...rest}
      className={`button ${look}${idle && !busy ? ' idle' : ''}`}
      aria-disabled={busy || idle || disabled || undefined}
      aria-busy={busy || undefined}
      disabled={disabled}
      onClick={(event) => {
        if (busy || idle) event.preventDefault();
        else onClick?.(event);
      }}
    >
      {busy ? <span className="spinner" aria-hidden="true" /> : icon && <Icon name={icon} />}
      {children}
    </button>
  );
}
