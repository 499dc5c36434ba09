import { useId, useLayoutEffect, useRef, type ReactNode } from 'react';
import { useText } from '../text/text.js';
import { Announcer } from './announcer.js';
import { Button } from './button.js';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  /** It must not be closed by oversight, or while what comes is shown this once: no Escape, no cross. */
  readonly mustDecide?: boolean;
  readonly children: ReactNode;
}

/** The browser's own dialog: it keeps the focus inside, begins at `data-first`, closes on Escape, gives the focus back. */
export function Dialog({ title, onClose, mustDecide = false, children }: DialogProps) {
  const t = useText();
  const heading = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  // A layout effect: it ends before the dialog leaves the page, and only a dialog in the page gives the focus back.
  useLayoutEffect(() => {
    const shown = dialog.current;
    if (shown && !shown.open) shown.showModal();
    // What React focuses is focused before the dialog is shown, which does nothing.
    shown?.querySelector<HTMLElement>('[data-first]')?.focus();
    return () => shown?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      className="dialog"
      aria-labelledby={heading}
      closedby={mustDecide ? 'none' : 'closerequest'}
      onKeyDown={(event) => {
        // Where `closedby` is not known: `cancel` can't hold it back from a second Escape without a click in between.
        if (mustDecide && event.key === 'Escape') event.preventDefault();
      }}
      onCancel={(event) => {
        event.preventDefault();
        if (!mustDecide) onClose();
      }}
      onClose={({ currentTarget }) => {
        if (currentTarget.open) return;
        if (mustDecide) currentTarget.showModal();
        else onClose();
      }}
    >
      <header>
        <h2 id={heading}>{title}</h2>
        {!mustDecide && <Button look="quiet" icon="cross" aria-label={t('common.close')} onClick={onClose} />}
        <Announcer />
      </header>
      {children}
    </dialog>
  );
}

interface ConfirmProps {
  readonly title: string;
  readonly children: ReactNode;
  readonly action: string;
  /** What closes it with nothing done, where "Cancel" could be taken for the action. */
  readonly dismiss?: string;
  readonly busy: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
  readonly danger?: boolean;
}

/** Asks before something that can't be undone. While that is under way, it stays: its answer may be shown this once. */
export function Confirm(props: ConfirmProps) {
  const { title, children, action, dismiss, busy, onConfirm, onClose, danger = false } = props;
  const t = useText();
  return (
    <Dialog title={title} mustDecide={busy} onClose={onClose}>
      <div className="stack">{children}</div>
      <footer>
        <Button disabled={busy} onClick={onClose}>
          {dismiss ?? t('common.cancel')}
        </Button>
        <Button look={danger ? 'danger' : 'main'} busy={busy} onClick={onConfirm}>
          {action}
        </Button>
      </footer>
    </Dialog>
  );
}
