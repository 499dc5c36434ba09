import type { ReactNode } from 'react';
import type { Shapes } from '../../api/client.js';
import type { Endpoint, Secrets } from '../../api/queries.js';
import { TextAround } from '../../text/text-around.js';
import type { TextId } from '../../text/text.js';
import { Moment } from '../../ui/moment.js';
import { visibleText } from '../../ui/visible-text.js';
import { OverlapEnd } from './overlap-end.js';

interface SecretListProps {
  readonly endpoint: Endpoint;
  readonly secrets: Secrets;
  readonly mayRotate: boolean;
}

/** Which secrets there are: the one that signs, the one that is prepared, and those that still sign beside it. */
export function SecretList({ endpoint, secrets, mayRotate }: SecretListProps) {
  return (
    <ul className="stack">
      <Line id="rotation.current" secret={secrets.current} />
      {secrets.prepared && <Line id="rotation.prepared.is" secret={secrets.prepared} />}
      {secrets.previous.map((one) => (
        <Line key={one.id} id="rotation.previous.is" secret={one}>
          {mayRotate && <OverlapEnd endpoint={endpoint} secret={one} />}
        </Line>
      ))}
    </ul>
  );
}

interface LineProps {
  readonly id: TextId;
  readonly secret: Shapes['SecretDto'];
  readonly children?: ReactNode;
}

function Line({ id, secret, children }: LineProps) {
  const { hint, created_at: at, created_by: by, expires_at: end } = secret;
  return (
    <li className="row">
      <span>
        <TextAround id={id} name="until">
          {end !== null && <Moment at={end} as="full" />}
        </TextAround>
      </span>
      <code>{hint}</code>
      <span className="hint">
        <Moment at={at} as="full" />
        {by !== null && ` · ${visibleText(by)}`}
      </span>
      {children}
    </li>
  );
}
