import { isStatus } from '../api/problem.js';
import type { Endpoint } from '../api/queries.js';
import { useText } from '../text/text.js';
import { announce } from '../ui/announcer.js';
import { Button } from '../ui/button.js';
import { Confirm } from '../ui/dialog.js';
import { ProblemNotice } from '../ui/notice.js';
import { useState } from 'react';
import { afterSwitch, useChangeEndpoint } from './change-endpoint.js';

/** Switches an endpoint on at once, and off after a word about what then happens to its deliveries. */
export function SwitchButton({ endpoint }: { readonly endpoint: Endpoint }) {
  const t = useText();
  const change = useChangeEndpoint(endpoint);
  const [isAsking, setAsking] = useState(false);
  const turn = (enabled: boolean): void =>
    change.mutate(
      { changes: { enabled }, version: endpoint.version, afterOther: (now) => afterSwitch(now, enabled) },
      {
        onSuccess: () => {
          setAsking(false);
          announce(t(enabled ? 'endpoint.on' : 'endpoint.off'));
        },
      },
    );
  const ask = (): void => {
    change.reset();
    setAsking(true);
  };
  const problem = change.isError && (
    <ProblemNotice error={change.error} actions={isStatus(change.error, 412) ? t('conflict.look') : undefined} />
  );
  return (
    <>
      <Button
        look={endpoint.enabled ? 'plain' : 'main'}
        busy={change.isPending && !isAsking}
        onClick={() => (endpoint.enabled ? ask() : turn(true))}
      >
        {t(endpoint.enabled ? 'endpoint.turn-off' : 'endpoint.turn-on')}
      </Button>
      {!isAsking && problem}
      {isAsking && (
        <Confirm
          title={t('endpoint.turn-off')}
          action={t('endpoint.turn-off')}
          busy={change.isPending}
          onConfirm={() => turn(false)}
          onClose={() => setAsking(false)}
        >
          <p>{t('endpoint.turn-off.what')}</p>
          {problem}
        </Confirm>
      )}
    </>
  );
}
