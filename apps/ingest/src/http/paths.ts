/** Where the form service posts its events. */
export const EVENTS_PATH = '/v1/events';
