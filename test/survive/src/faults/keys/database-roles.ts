import pg from 'pg';

/** Acts over a connection of its own. @throws Error if the role can't log in */
export async function asRole<T>(url: string, act: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await connected(url);
  try {
    return await act(client);
  } finally {
    await client.end();
  }
}

/** A connection that stands until the server or its caller ends it. */
export async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  // Without a listener the server's ending it would end this process; whoever asks next is told.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** A role may change its own password, and end its own connections. */
export const changePassword = (url: string, password: string): Promise<unknown> =>
  asRole(url, (client) => client.query(`ALTER ROLE CURRENT_USER PASSWORD '${password}'`));

/** Those of the URL's role, but for the one that says so. @returns how many */
export const endConnections = (url: string): Promise<number> =>
  asRole(url, async (client) => {
    const { rowCount } = await client.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE usename = current_user AND pid <> pg_backend_pid()`);
    return rowCount ?? 0;
  });

export const logsIn = (url: string): Promise<boolean> => asRole(url, async () => true).catch(() => false);

/** The same with another password. */
export const withPassword = (url: string, password: string): string => Object.assign(new URL(url), { password }).href;
