/** Where the dashboard's files are served, and where its session begins, is told of and ends. */
export const DASHBOARD_PATH = '/dashboard/';
export const DASHBOARD_SESSION_PATH = '/v1/dashboard/session';
