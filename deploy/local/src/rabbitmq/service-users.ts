import { randomBytes } from 'node:crypto';
import { patternOf, PERMISSIONS } from '@form-webhooks/broker/permissions';
import type { ServiceName } from '../processes/services.js';
import type { Provided } from '../provide/provide.js';
import { RabbitMqServer } from './rabbitmq-server.js';
import type { RabbitMqUser } from './rabbitmq-users.js';

/** How each service reaches the broker: a private one as a user of its own, a user's own one as its URL says. */
export async function brokerUrls({ server, url }: Provided): Promise<Readonly<Record<ServiceName, string>>> {
  if (!(server instanceof RabbitMqServer)) return { config: url, dispatcher: url, ingest: url };
  const users = { config: userOf('config'), dispatcher: userOf('dispatcher'), ingest: userOf('ingest') };
  await server.addUsers(Object.values(users));
  return {
    config: server.urlOf(users.config),
    dispatcher: server.urlOf(users.dispatcher),
    ingest: server.urlOf(users.ingest),
  };
}

/** With a new password for each start: nobody else needs to know it. */
function userOf(name: ServiceName): RabbitMqUser {
  const { configure, write, read } = PERMISSIONS[name];
  return {
    name,
    password: randomBytes(24).toString('hex'),
    configure: patternOf(configure),
    write: patternOf(write),
    read: patternOf(read),
  };
}
