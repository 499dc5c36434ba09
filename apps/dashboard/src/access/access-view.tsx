import { useQuery } from '@tanstack/react-query';
import { sourceIpsQuery } from '../api/queries.js';
import { useMay } from '../session/session-context.js';
import { PageTitle } from '../shell/page-title.js';
import { useText } from '../text/text.js';
import { CopyButton } from '../ui/copy-button.js';
import { Loaded } from '../ui/loaded.js';
import { ApiKeys } from './api-keys.js';

/** What lies around deliveries: where they come from, and keys to the API. */
export function AccessView() {
  const t = useText();
  const mayHaveKeys = useMay('keys:write');
  return (
    <>
      <PageTitle title={t('access.title')} />
      <SourceIps />
      {mayHaveKeys && <ApiKeys />}
    </>
  );
}

function SourceIps() {
  const t = useText();
  const addresses = useQuery(sourceIpsQuery);
  return (
    <section className="panel" aria-labelledby="source-ips">
      <h2 id="source-ips">{t('ips.title')}</h2>
      <p>{t('ips.what')}</p>
      <Loaded query={addresses}>
        {(items) =>
          items.length === 0 ? (
            <p className="hint">{t('ips.none')}</p>
          ) : (
            <>
              <ul className="addresses">
                {items.map((one) => (
                  <li key={one}>
                    <code>{one}</code> <CopyButton look="quiet" text={one} label={t('ips.copy', { address: one })} />
                  </li>
                ))}
              </ul>
              <CopyButton text={items.join('\n')} label={t('ips.copy.all')} />
            </>
          )
        }
      </Loaded>
    </section>
  );
}
