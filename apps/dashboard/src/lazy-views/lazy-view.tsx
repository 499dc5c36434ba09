import { use, type ComponentType, type FunctionComponent } from 'react';

/** A view's code did not come: no network, a restart of the service, or a newer release in its place. */
export class ViewNotLoaded extends Error {
  override readonly name = 'ViewNotLoaded';

  constructor(
    cause: unknown,
    /** Asks for it once more; to be shown again afterwards. */
    readonly again: () => Promise<void>,
  ) {
    super('The code of a view could not be loaded.', { cause });
  }
}

export type LazyView = FunctionComponent & {
  /** Loads its code; resolved also if that fails, which is told where the view is shown. The router calls it. */
  readonly preload: () => Promise<void>;
};

/**
 * A view whose code comes when it is first needed. The router's own loads the page anew when the code does not come, and
 * drafts, which are in its memory alone, would be lost.
 */
export function lazyView(load: () => Promise<ComponentType>): LazyView {
  let view: ComponentType | undefined;
  let failure: ViewNotLoaded | undefined;
  let loading: Promise<void> | undefined;
  const preload = (): Promise<void> =>
    (loading ??= load().then(
      (loaded) => void ([view, failure] = [loaded, undefined]),
      (cause: unknown) => {
        // Whoever asks next tries anew.
        [loading, failure] = [undefined, new ViewNotLoaded(cause, preload)];
      },
    ));
  function Lazy() {
    if (view === undefined && failure === undefined) use(preload());
    if (view === undefined) throw failure!;
    const View = view;
    return <View />;
  }
  return Object.assign(Lazy, { preload });
}
