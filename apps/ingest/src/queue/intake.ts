/** The stream of messages from `form.events`, as far as the door has a hand on it. */
export abstract class Intake {
  /** No further messages for now. */
  abstract pause(): Promise<void>;
  abstract resume(): Promise<void>;
}
