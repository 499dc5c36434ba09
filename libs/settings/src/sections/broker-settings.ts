import { asUrls } from '../parsers.js';
import { Setting } from '../setting.js';

/** Where the broker is. */
export class BrokerSettings {
  @Setting({
    env: 'RABBITMQ_URL',
    meaning:
      'the broker, such as amqp://user:password@host:5672, or amqps://…:5671?cacertfile=file over TLS; several nodes of a cluster separated by commas',
    parse: asUrls('amqp', 'amqps'),
    secret: true,
  })
  readonly url: string;
}
