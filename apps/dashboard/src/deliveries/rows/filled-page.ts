/** Pages without a row that are passed over before the viewer is asked whether to look on. */
const MAX_PASSED = 50;

interface Page {
  readonly items: readonly unknown[];
  readonly next_cursor: string | null;
}

/**
 * The first page that has a row, from a place on. A search that takes long hands over what it has found with the place
 * where it stopped, which can be nothing yet: such a page says nothing of whether there is more.
 */
export async function filledPage<P extends Page>(
  ask: (cursor: string | undefined) => Promise<P>,
  cursor: string | undefined,
): Promise<P> {
  let page = await ask(cursor);
  for (let passed = 0; page.items.length === 0 && page.next_cursor !== null && passed < MAX_PASSED; passed++) {
    page = await ask(page.next_cursor);
  }
  return page;
}
