import { asUrls, checkFilesIn } from '../parsers.js';
import { Setting } from '../setting.js';

/** Where the broker is. */
export class BrokerSettings {
  @Setting({
    env: 'RABBITMQ_URL',
    meaning:
      'the broker, such as amqp://user:password@host:5672, or amqps://…:5671?cacertfile=file over TLS; several nodes of a cluster separated by commas',
    parse: asBrokerUrls,
    secret: true,
  })
  readonly url: string;
}

function asBrokerUrls(text: string): string {
  const urls = asUrls('amqp', 'amqps')(text);
  for (const url of urls.split(',')) checkFilesIn(url.trim(), 'cacertfile');
  return urls;
}
