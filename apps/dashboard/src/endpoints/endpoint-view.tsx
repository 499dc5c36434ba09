import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { endpointQuery, type Endpoint } from '../api/queries.js';
import { useMay } from '../session/session-context.js';
import { PageTitle } from '../shell/page-title.js';
import { useText } from '../text/text.js';
import { Icon } from '../ui/icons.js';
import { Loaded } from '../ui/loaded.js';
import { OnOrOff } from './endpoint-card.js';
import { EndpointSettings } from './endpoint-settings.js';
import { Removal } from './removal.js';
import { Rotation } from './secret/rotation.js';
import { SwitchButton } from './switch-button.js';
import { TestSection } from './test/test-section.js';
import { WhyOff } from './why-off.js';

/** One endpoint: test it, change it, change its secret. */
export function EndpointView() {
  const t = useText();
  const { formId, endpointId } = useParams({ from: '/forms/$formId/endpoints/$endpointId' });
  const endpoint = useQuery(endpointQuery(formId, endpointId));
  return (
    <>
      <p className="way-back">
        <Link to="/forms/$formId/endpoints" params={{ formId }}>
          <Icon name="back" /> {t('nav.endpoints')}
        </Link>
      </p>
      {endpoint.data === undefined && <PageTitle title={t('delivery.endpoint')} />}
      <Loaded query={endpoint}>{(data) => <Sections key={data.id} endpoint={data} />}</Loaded>
    </>
  );
}

function Sections({ endpoint }: { readonly endpoint: Endpoint }) {
  const mayChange = useMay('endpoints:write');
  const mayRotate = useMay('secrets:write');
  return (
    <>
      <Head endpoint={endpoint} />
      <WhyOff endpoint={endpoint} />
      {mayChange && <TestSection endpoint={endpoint} />}
      <EndpointSettings endpoint={endpoint} mayChange={mayChange} />
      <Rotation endpoint={endpoint} mayRotate={mayRotate} />
      {mayChange && <Removal endpoint={endpoint} />}
    </>
  );
}

function Head({ endpoint }: { readonly endpoint: Endpoint }) {
  const t = useText();
  const mayChange = useMay('endpoints:write');
  return (
    <PageTitle
      title={endpoint.url}
      actions={
        <>
          <OnOrOff endpoint={endpoint} />
          <Link
            className="button"
            to="/forms/$formId/deliveries"
            params={{ formId: endpoint.form_id }}
            search={{ endpoint_id: endpoint.id }}
          >
            {t('endpoint.deliveries')}
          </Link>
          {mayChange && <SwitchButton endpoint={endpoint} />}
        </>
      }
    >
      {endpoint.description !== null && (
        <p className="lead" dir="auto">
          {endpoint.description}
        </p>
      )}
    </PageTitle>
  );
}
