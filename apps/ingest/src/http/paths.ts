/** Where the form service posts its events. */
export const EVENTS_PATH = '/v1/events';

/** The OpenAPI document, and the same for people; open to everyone. */
export const DOCUMENT_PATH = '/openapi.json';
export const PAGE_PATH = '/docs';
