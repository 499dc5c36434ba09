/** How many dispatchers share the deliveries, this one included. */
export abstract class DispatcherCount {
  /** At least 1; as it was a few seconds ago at the latest. */
  abstract readonly count: number;
}
