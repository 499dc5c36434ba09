import { useState } from 'react';

/**
 * What somebody types over a value that stands elsewhere, as in the address: it is hers until that value changes, by
 * herself, by Back or by a link, from when on it is that value. Nothing is put in the page anew, so the focus stays.
 */
export function useTypedText(value: string): [typed: string, setTyped: (typed: string) => void] {
  const [seen, setSeen] = useState(value);
  const [typed, setTyped] = useState(value);
  if (seen !== value) {
    setSeen(value);
    setTyped(value);
  }
  return [seen === value ? typed : value, setTyped];
}
