// A receiver of your own beside `npm start`, with a certificate that the local dispatcher trusts:
//
//   node docs/examples/receiver.mjs                              then make an endpoint for the URL that it prints
//   WEBHOOK_SECRET=whsec_… node docs/examples/receiver.mjs       with the secret that the endpoint was created with
//
// PORT is where it listens (8443).
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { issueCertificate, loadAuthority } from '@form-webhooks/local';
import { Deduplicator, SIGNATURE_HEADER, verifyReplayWindow, verifySignature } from '@form-webhooks/receiver';

const port = Number(process.env.PORT ?? 8443);
if (!Number.isInteger(port) || port < 1 || port > 65_535) end('PORT must be a whole number from 1 to 65535.');
const secret = process.env.WEBHOOK_SECRET;
const deliveries = new Deduplicator();
const MAX_BODY_BYTES = 2 * 1024 * 1024; // ours have 1 MiB and some 80 bytes at most; anybody else can send more

/** The status that a request is answered with. */
function receive(headers, body) {
  if (!secret) return 503; // a retry comes when the secret is known
  if (!verifySignature(body, headers[SIGNATURE_HEADER], secret)) return 401;
  const event = JSON.parse(body);
  if (!verifyReplayWindow(event.timestamp)) return 401;
  if (!deliveries.claim(event.delivery_id)) return 200; // had it before: say so, do nothing
  console.log(event);
  return 200;
}

/** The body's bytes as they came. */
async function bodyOf(request) {
  const chunks = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) throw new Error('the body is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function answer(request, response) {
  // The check that the endpoint responds is a HEAD without a signature.
  const status = request.method === 'POST' ? receive(request.headers, await bodyOf(request)) : 204;
  if (request.method === 'POST') console.log(`${request.headers['webhook-id']} → ${status}`);
  response.writeHead(status).end();
}

/** Ends it with one line that says what to do. */
function end(line) {
  console.error(line);
  process.exit(2);
}

function stackFacts() {
  try {
    return JSON.parse(readFileSync(new URL('../../.local/stack.json', import.meta.url)));
  } catch {
    return end('There is no .local/stack.json: run `npm start` beside it, in the same folder.');
  }
}

const stack = stackFacts();
const { cert, key } = await issueCertificate(await loadAuthority(stack.ca_file, stack.ca_key_file));

createServer({ cert, key }, (request, response) => {
  // Whoever sent it went away in the middle, or sent too much: that must not end this program.
  answer(request, response).catch(() => response.destroy());
})
  .on('error', ({ code }) => end(`Port ${port} can't be had (${code}): set PORT to another one.`))
  .listen(port, () => console.log(`https://localhost:${port}/`));
