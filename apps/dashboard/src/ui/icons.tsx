/** Drawn in the colour of the text beside them; they say nothing that the text doesn't. */
const PATHS = {
  check: 'M3 8.5l3.2 3.2L13 5',
  cross: 'M4 4l8 8M12 4l-8 8',
  clock: 'M8 4.2V8l2.6 1.6M14 8A6 6 0 1 1 2 8a6 6 0 0 1 12 0z',
  retry: 'M13 8a5 5 0 1 1-1.5-3.6M12 1.6v3h-3',
  pause: 'M5.5 3.5v9M10.5 3.5v9',
  stop: 'M4 8h8',
  copy: 'M5.5 5.5V3h7.5v7.5h-2.5M3 5.5h7.5V13H3z',
  plus: 'M8 3v10M3 8h10',
  warning: 'M8 2.5L14.2 13H1.8L8 2.5zM8 6.6v3M8 11.2v.1',
  info: 'M8 7.2v3.6M8 5.1v.1M14 8A6 6 0 1 1 2 8a6 6 0 0 1 12 0z',
  send: 'M2.5 8L13.5 3 10 13.2 7.6 9 2.5 8z',
  down: 'M8 3v8M4.5 8L8 11.5 11.5 8M3 13.5h10',
  open: 'M6 3H3v10h10v-3M9 3h4v4M13 3L7.5 8.5',
  back: 'M9.5 3.5L5 8l4.5 4.5',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}
