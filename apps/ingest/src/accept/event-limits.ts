/** How large an event may be, for both doors. */
export class EventLimits {
  constructor(readonly maxEventBytes: number) {}
}
