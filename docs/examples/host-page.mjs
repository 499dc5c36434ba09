// The page of a host product that opens the dashboard: form -> Integrations -> Webhooks. Node.js alone.
//
//   CONFIG_URL=http://127.0.0.1:8081 SERVICE_KEY=fwk_… node docs/examples/host-page.mjs
//
// CONFIG_URL is `config_url` of .local/stack.json while `npm start` runs, and http://127.0.0.1:8081 with Compose.
// The key needs the scope keys:write and every scope that the person is to have.
import { createServer } from 'node:http';

const { CONFIG_URL, SERVICE_KEY, PORT = '4000' } = process.env;
if (!URL.canParse(CONFIG_URL)) end('CONFIG_URL must be the URL of config, such as http://127.0.0.1:8081.');
if (!SERVICE_KEY) end('SERVICE_KEY must be a key with the scope keys:write, such as admin_key of .local/stack.json.');
if (!/^[1-9]\d{0,4}$/.test(PORT) || PORT > 65_535) end('PORT must be a whole number from 1 to 65535.');

/** Your product knows who is signed in, and what they may do with which form. */
const whoIsSignedIn = (_request) => ({ user: 'u_42', role: 'owner', forms: ['f_demo'] });

/** Sends the browser to the dashboard. */
async function openDashboard(request, response) {
  const person = whoIsSignedIn(request);
  const formId = /^\/forms\/(f_[\w-]+)\/webhooks$/.exec(request.url)?.[1];
  if (formId === undefined || !person.forms.includes(formId)) return response.writeHead(404).end();
  const answer = await fetch(`${CONFIG_URL}/v1/dashboard/codes`, {
    method: 'POST',
    headers: { authorization: `Bearer ${SERVICE_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      form_id: formId,
      user: person.user,
      role: person.role,
      // This very page: it opens the dashboard anew when the session has ended.
      host_url: `http://127.0.0.1:${PORT}${request.url}`,
    }),
  });
  const told = await answer.json();
  if (!answer.ok) return response.writeHead(502, { 'content-type': 'text/plain' }).end(told.detail);
  // The code is in the fragment, which browsers send to nobody. It must not be kept in a cache.
  response.writeHead(303, { location: `${CONFIG_URL}${told.path}`, 'cache-control': 'no-store' }).end();
}

/** Ends it with one line that says what to set. */
function end(line) {
  console.error(line);
  process.exit(2);
}

createServer((request, response) => {
  openDashboard(request, response).catch((error) => {
    console.error(`${CONFIG_URL} does not answer as config does: ${error.cause?.message ?? error.message}`);
    response.writeHead(502).end();
  });
})
  .on('error', ({ code }) => end(`Port ${PORT} can't be had (${code}): set PORT to another one.`))
  .listen(Number(PORT), '127.0.0.1', () => console.log(`http://127.0.0.1:${PORT}/forms/f_demo/webhooks`));
