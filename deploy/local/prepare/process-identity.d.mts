export interface ProcessIdentity {
  readonly pid: number;
  /** When it started, in a form that is only good for comparing. */
  readonly started: string;
}
export function startOf(pid: number): string | undefined;
export function isAlive(identity: ProcessIdentity | undefined): boolean;
