import {
  addToOutbox,
  appendAudit,
  databaseNow,
  deliveryPauses,
  findEndpoint,
  findForm,
  findFormOrRemoved,
  NO_WORKSPACE,
  OPERATOR,
  pauseDeliveries,
  resumeDeliveries,
  type DeliveryPause,
  type PauseScope,
  type Transaction,
} from '@form-webhooks/storage';
import { encodeConfigChange, type ConfigChange } from '@form-webhooks/messages';
import { withDatabase } from '../connect.js';
import {
  EXIT,
  OpsFailure,
  textOption,
  wrongCall,
  type ExitCode,
  type OpsCall,
  type OpsCommand,
} from '../ops-command.js';
import { switchEndpoint } from './endpoint-switch.js';

const TAKES = ['[form_id]', '[endpoint_id]'];
const OPTIONS = {
  all: { type: 'boolean', meaning: 'all deliveries of the installation' },
  form: { type: 'string', meaning: 'those of this form; with --endpoint those of one of its endpoints' },
  endpoint: { type: 'string', meaning: 'those of this endpoint of --form' },
} as const;

/** Holds deliveries back, or switches an endpoint off. */
export const PAUSE: OpsCommand = {
  name: 'pause',
  takes: TAKES,
  summary: 'holds deliveries back until `resume`: --all, --form, --endpoint; with two ids it switches an endpoint off',
  options: OPTIONS,
  notes: [
    'What is held back waits, without using up a try, and goes on within five minutes after `resume`; what has waited for',
    'DELIVERY_MAX_AGE by then has failed (expired). Attempts under way end. Config must run: it tells the dispatchers.',
    'pause <form_id> <endpoint_id> is something else, the switch that its owner has: events that come meanwhile make no',
    'delivery, and what falls due is cancelled; send it later by replay <form_id> --state cancelled --yes.',
  ],
  run: (call) => (call.args.length > 0 ? switchOne(call, false) : hold(call, true)),
};

/** Lets them go on. */
export const RESUME: OpsCommand = {
  name: 'resume',
  takes: TAKES,
  summary: 'lets deliveries go on that `pause` holds back, or switches an endpoint on again',
  options: OPTIONS,
  notes: ['Each pause is ended by the same words that made it: --form ends none of --all.'],
  run: (call) => (call.args.length > 0 ? switchOne(call, true) : hold(call, false)),
};

function switchOne(call: OpsCall, enabled: boolean): Promise<ExitCode> {
  if (call.args.length === 2 && Object.keys(call.values).every((name) => name === 'json')) {
    return switchEndpoint(call, enabled);
  }
  throw wrongCall('an endpoint is switched by its form_id and its endpoint_id', 'give both, and no option');
}

async function hold(call: OpsCall, paused: boolean): Promise<ExitCode> {
  const scope = scopeOf(call);
  return withDatabase(call.installation, async (dataSource) => {
    const [changed, pauses] = await dataSource.transaction(async (tx) => {
      const workspaceId = paused ? await workspaceOf(tx, scope) : await workspaceLeft(tx, scope);
      if (!(await (paused ? pauseDeliveries : resumeDeliveries)(tx, scope))) {
        // That nothing was held is fine, but of a mistyped id: what was meant would stay held.
        if (!paused) await workspaceOf(tx, scope);
        return [false, await deliveryPauses(tx)] as const;
      }
      const change: ConfigChange =
        scope.formId === null ? { kind: 'all_forms' } : { kind: 'form', form_id: scope.formId };
      await addToOutbox(tx, { kind: 'config_change', headers: {}, body: encodeConfigChange(change) });
      await appendAudit(tx, OPERATOR, entryOf(scope, workspaceId, paused), await databaseNow(tx));
      return [true, await deliveryPauses(tx)] as const;
    });
    const others = pauses.filter((pause) => !isSame(pause, scope) && overlap(pause, scope));
    const document = { ...documentOf(scope), paused, changed, other_pauses: others.map(documentOfPause) };
    call.output.result(document, holdLines({ scope, paused, changed }, others));
    return EXIT.fine;
  });
}

/** What was asked for, and whether it was not so before. */
interface Held {
  readonly scope: PauseScope;
  readonly paused: boolean;
  readonly changed: boolean;
}

/**
 * For people. That deliveries go on is said of none that another pause holds.
 * @param others the pauses that hold some of the same deliveries
 */
export function holdLines({ scope, paused, changed }: Held, others: readonly DeliveryPause[]): string[] {
  const isSo = paused ? pausedAs(changed) : resumedAs(changed, others.length > 0);
  const also = paused ? 'held back already' : 'still held back';
  return [
    `${nameOf(scope)}: ${isSo}`,
    ...others.map((pause) => `  ${also}: ${nameOf(pause)}, since ${pause.since.toISOString()}`),
  ];
}

const pausedAs = (changed: boolean): string => (changed ? 'held back' : 'were held back already');

function resumedAs(changed: boolean, areOthers: boolean): string {
  if (areOthers) return changed ? 'this pause is ended, others stand' : 'no such pause stood, others do';
  return changed ? 'go on' : 'were not held back';
}

const isSame = (one: PauseScope, other: PauseScope): boolean =>
  one.formId === other.formId && one.endpointId === other.endpointId;

/** Whether some delivery belongs to both. */
export const overlap = (one: PauseScope, other: PauseScope): boolean =>
  (['formId', 'endpointId'] as const).every(
    (name) => one[name] === null || other[name] === null || one[name] === other[name],
  );

const documentOf = ({ formId, endpointId }: PauseScope) => ({ form_id: formId, endpoint_id: endpointId });
const documentOfPause = (pause: DeliveryPause) => ({ ...documentOf(pause), since: pause.since.toISOString() });

function scopeOf(call: OpsCall): PauseScope {
  const [formId, endpointId] = [textOption(call, 'form') ?? null, textOption(call, 'endpoint') ?? null];
  if ((call.values['all'] === true) !== (formId === null) || (endpointId !== null && formId === null)) {
    throw wrongCall(
      'it is not clear what is meant',
      'give --all, or --form <form_id>, or --form and --endpoint <endpoint_id>',
    );
  }
  return { formId, endpointId };
}

/** @throws OpsFailure if there is no such form, or no such endpoint of it */
async function workspaceOf(tx: Transaction, { formId, endpointId }: PauseScope): Promise<string> {
  if (formId === null) return NO_WORKSPACE;
  const form = await findForm(tx, formId);
  if (!form)
    throw new OpsFailure(`there is no form ${formId}`, 'look at the id: `find` shows it of an event', EXIT.found);
  if (endpointId !== null && !(await findEndpoint(tx, form, endpointId))) {
    throw new OpsFailure(
      `${formId} has no endpoint ${endpointId}`,
      'look at the id: `find` shows it of an event',
      EXIT.found,
    );
  }
  return form.workspaceId;
}

/** What was deleted since can be let go as well. */
const workspaceLeft = async (tx: Transaction, { formId }: PauseScope): Promise<string> =>
  (formId === null ? null : await findFormOrRemoved(tx, formId))?.workspaceId ?? NO_WORKSPACE;

const entryOf = ({ formId, endpointId }: PauseScope, workspaceId: string, paused: boolean) => ({
  workspaceId,
  action: paused ? 'deliveries.paused' : 'deliveries.resumed',
  formId,
  target:
    endpointId !== null
      ? { type: 'endpoint', id: endpointId }
      : formId !== null
        ? { type: 'form', id: formId }
        : { type: 'installation', id: 'all' },
});

/** For people. */
export const nameOf = ({ formId, endpointId }: PauseScope): string =>
  formId === null
    ? 'all deliveries'
    : endpointId === null
      ? `deliveries of ${formId}`
      : `deliveries of ${formId} to ${endpointId}`;
