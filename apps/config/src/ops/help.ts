import { NAMING } from './installation.js';
import { EXIT, type OpsCommand, type OpsOption } from './ops-command.js';

const CALL = 'npm run ops --';

/** Every command with a line. */
export const overview = (commands: readonly OpsCommand[]): string =>
  `${[`${CALL} <command> [--json] [--help]`, '', ...linesOf(commands), '', ...ABOUT].join('\n')}\n`;

/** Those that begin with one word, each with a line. */
export const groupHelp = (commands: readonly OpsCommand[]): string =>
  `${[...linesOf(commands), '', 'Each of them with --help says what it takes.'].join('\n')}\n`;

function linesOf(commands: readonly OpsCommand[]): string[] {
  const width = Math.max(...commands.map((command) => synopsis(command).length));
  return commands.map((command) => `  ${synopsis(command).padEnd(width)}  ${command.summary}`);
}

/** What one command does and takes. */
export function helpOf(command: OpsCommand): string {
  const options = Object.entries({ ...command.options, ...COMMON }).map(
    ([name, { type, meaning }]) => `  ${`--${name}${type === 'string' ? ' <…>' : ''}`.padEnd(20)}  ${meaning}`,
  );
  const notes = command.notes ? ['', ...command.notes] : [];
  return `${[`${CALL} ${synopsis(command)}`, '', command.summary, ...notes, '', ...options, '', ...ABOUT].join('\n')}\n`;
}

const synopsis = ({ name, takes }: OpsCommand): string =>
  [name, ...takes.map((one) => (one.startsWith('[') ? one : `<${one}>`))].join(' ');

const COMMON: Readonly<Record<string, OpsOption>> = {
  json: { type: 'boolean', meaning: 'one JSON document on standard output, for programs' },
  help: { type: 'boolean', meaning: 'this text' },
};

const ABOUT = [
  'It talks to the installation that the environment names; if none of',
  `${NAMING.join(', ')} is set,`,
  'to the one that `npm start` runs in this folder (.local/stack.json).',
  `It ends with ${EXIT.fine}: done, all well; ${EXIT.found}: found wrong, or nothing of that id; ` +
    `${EXIT.usage}: called wrongly; ${EXIT.unable}: no installation is`,
  `named, or it can't be reached or refuses; ${EXIT.interrupted}: interrupted.`,
];
