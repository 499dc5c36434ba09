import type { ReactNode } from 'react';
import { useText, type TextId, type Values } from './text.js';

/** Stands for what is put in; no text has it. */
const MARK = '\ue000';

interface TextAroundProps {
  readonly id: TextId;
  /** The name of the value for which the children stand. */
  readonly name: string;
  readonly values?: Values;
  readonly children: ReactNode;
}

/** A text with something in it that is more than text, such as a moment. */
export function TextAround({ id, name, values, children }: TextAroundProps) {
  const t = useText();
  const [before, after] = t(id, { ...values, [name]: MARK }).split(MARK);
  return (
    <>
      {before}
      {after !== undefined && children}
      {after}
    </>
  );
}
