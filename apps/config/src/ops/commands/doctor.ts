import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { BrokerSettings } from '@form-webhooks/settings';
import { checkDefinitions, readDefinitions } from '../doctor/definitions-check.js';
import { examine } from '../doctor/examine.js';
import type { Finding } from '../doctor/finding.js';
import { concludeWith } from '../doctor/finding-lines.js';
import { judgeMembers, readQueues } from '../doctor/queue-members.js';
import { textOption, wrongCall, type OpsCall, type OpsCommand } from '../ops-command.js';

/** What is wrong with this installation, and what to do? */
export const DOCTOR: OpsCommand = {
  name: 'doctor',
  takes: [],
  summary: 'what is wrong with this installation, and what to do about it',
  options: {
    definitions: {
      type: 'string',
      meaning: 'a file of `rabbitmqctl export_definitions -`: bindings, rights, policies; - reads it',
    },
    members: {
      type: 'string',
      meaning: 'a file of `rabbitmqctl -q list_queues --formatter json name type members`; - reads it',
    },
    nodes: { type: 'string', meaning: 'how many nodes the cluster has, for --members' },
  },
  notes: [
    'It changes nothing. AMQP tells nobody of bindings, of the rights of other users and of the members of queues: what',
    'rabbitmqctl says of them can be given to it.',
  ],
  async run(call) {
    if (['definitions', 'members'].every((name) => textOption(call, name) === '-')) {
      throw wrongCall('standard input can be --definitions or --members', 'give one of them as a file');
    }
    const given = [...(await fromDefinitions(call)), ...(await fromMembers(call))];
    const findings = [...(await examine(call.installation)), ...given];
    return concludeWith(call, findings);
  },
};

async function fromDefinitions(call: OpsCall): Promise<Finding[]> {
  const file = textOption(call, 'definitions');
  if (file === undefined) return [];
  const definitions = await readGiven(file, readDefinitions);
  const [url] = call.installation.settings(BrokerSettings).url.split(',');
  const path = new URL(url!).pathname;
  return checkDefinitions(definitions, path.length > 1 ? decodeURIComponent(path.slice(1)) : '/');
}

async function fromMembers(call: OpsCall): Promise<Finding[]> {
  const [file, nodes] = [textOption(call, 'members'), nodesOption(call)];
  if ((file === undefined) !== (nodes === undefined)) {
    throw wrongCall(
      '--members and --nodes need each other',
      'give the list of queues and the number of nodes, such as 3',
    );
  }
  if (file === undefined || nodes === undefined) return [];
  return [judgeMembers(await readGiven(file, readQueues), nodes)];
}

function nodesOption(call: OpsCall): number | undefined {
  const text = textOption(call, 'nodes');
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,3}$/.test(text)) throw wrongCall('--nodes takes a whole number from 1 on', 'give it, such as 3');
  return Number(text);
}

async function readGiven<T>(file: string, read: (given: string) => T): Promise<T> {
  const given = file === '-' ? await text(process.stdin) : readFile(file);
  const [name, filledBy] = file === '-' ? ['standard input', 'before the pipe'] : [file, 'that wrote it'];
  if (given.trim() === '') {
    throw wrongCall(`${name} is empty: did the command ${filledBy} fail?`, 'look at what that command says');
  }
  try {
    return read(given);
  } catch (error) {
    throw wrongCall(`${name} is not what it should be: ${(error as Error).message}`, SEE_HELP);
  }
}

function readFile(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw wrongCall(`${file} can't be read: ${(error as Error).message}`, SEE_HELP);
  }
}

const SEE_HELP = 'look at `doctor --help`';
