import { parseArgs } from 'node:util';
import { COMMANDS } from './commands/commands.js';
import { groupHelp, helpOf, overview } from './help.js';
import { EXIT, OpsFailure, parserOptions, type OpsCommand } from './ops-command.js';

/** What was typed, as far as it is a call of a command. */
export interface ReadCall {
  readonly command: OpsCommand;
  readonly values: Readonly<Record<string, string | boolean | undefined>>;
  /** Without the words that name the command. */
  readonly given: readonly string[];
}

/** Words that are no call of any command. */
export class UnreadableCall extends OpsFailure {
  constructor(
    message: string,
    /** Such as `find --help`. */
    helpCall: string,
    /** What that prints; people are shown it at once. */
    readonly help: string,
  ) {
    super(message, `see \`${helpCall}\``, EXIT.usage);
  }
}

/** @returns a call, or the text that was asked for instead of one. @throws UnreadableCall */
export function readCall(args: readonly string[]): ReadCall | string {
  const words = wordsOf(args);
  if (words.length === 0 || words[0] === 'help') {
    if (args.length > 0) return overview(COMMANDS);
    throw new UnreadableCall('no command is named', '--help', overview(COMMANDS));
  }
  const command = commandNamed(args);
  if (!command) return helpOfGroup(words, args.includes('--help'));
  const { values, positionals } = parsed(command, args);
  if (values['help'] === true) return helpOf(command);
  const given = positionals.slice(command.name.split(' ').length);
  checkCount(command, given);
  return { command, values, given };
}

const wordsOf = (args: readonly string[]): string[] => args.filter((arg) => !arg.startsWith('--'));

/** The one with the longest name that the call begins with. */
export function commandNamed(args: readonly string[]): OpsCommand | undefined {
  const words = wordsOf(args);
  return [words.slice(0, 2).join(' '), words[0]].flatMap((name) => COMMANDS.filter((one) => one.name === name))[0];
}

/** Of the first word of commands that have two. */
function helpOfGroup([first, second]: readonly string[], isAskedFor: boolean): string {
  const group = COMMANDS.filter(({ name }) => name.startsWith(`${first} `));
  if (group.length === 0) throw new UnreadableCall(`there is no command ${first}`, '--help', overview(COMMANDS));
  const help = groupHelp(group);
  if (isAskedFor) return help;
  const needed = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(
    group.map(({ name }) => name.slice(first!.length + 1)),
  );
  const not = second === undefined ? '' : `, not ${second}`;
  throw new UnreadableCall(`${first} needs ${needed}${not}`, `${first} --help`, help);
}

function parsed(command: OpsCommand, args: readonly string[]) {
  try {
    const { values, positionals, tokens } = parseArgs({
      args: [...args],
      options: parserOptions(command),
      allowPositionals: true,
      tokens: true,
    });
    checkGivenOnce(tokens.flatMap((one) => (one.kind === 'option' && one.value !== undefined ? [one.name] : [])));
    return { values: values as ReadCall['values'], positionals };
  } catch (error) {
    throw unreadable(command, inOneSentence(error as Error));
  }
}

/** The parser goes by the last value: of `pause --form a --form b` the first would be taken for held back. @throws Error */
function checkGivenOnce(names: readonly string[]): void {
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice !== undefined) throw new Error(`--${twice} is given more than once, and is taken once`);
}

/** Node goes on to say how a word that begins with a hyphen is given: no command takes one. */
const inOneSentence = ({ message }: Error): string =>
  message.replace(/\. To specify a positional argument.*/s, '').replaceAll('\n', ' ');

function checkCount(command: OpsCommand, given: readonly string[]): void {
  const needed = command.takes.filter((one) => !one.startsWith('[')).length;
  if (given.length >= needed && given.length <= command.takes.length) return;
  throw unreadable(command, `${command.name} takes ${amountOf(command.takes)}`);
}

/** Such as `one queue and one id`; what may be left out as `at most one queue`. */
const amountOf = (takes: readonly string[]): string =>
  takes.length === 0
    ? 'nothing but options'
    : takes.map((one) => (one.startsWith('[') ? `at most one ${one.slice(1, -1)}` : `one ${one}`)).join(' and ');

const unreadable = (command: OpsCommand, message: string): UnreadableCall =>
  new UnreadableCall(message, `${command.name} --help`, helpOf(command));
