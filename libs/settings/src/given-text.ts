import { readNamedFile } from './named-file.js';
import type { SettingDefinition } from './setting.js';

/** More than any secret has; a longer file is a mistake, such as a log or a device. */
const MAX_SECRET_BYTES = 65_536;

/** The variable that names a file with the value of a secret setting. */
export const fileVariableOf = (env: string): string => `${env}_FILE`;

/**
 * What the environment gives for a setting: its variable's text, or for a secret the content of the file that
 * `<variable>_FILE` names, as containers get secrets. Undefined if it gives nothing; an empty variable counts as not set,
 * since compose files and shells pass "" for what nobody filled in.
 * @throws Error with a whole sentence that names the variable, never the content
 */
export function givenText(
  { env, secret }: SettingDefinition,
  environment: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const own = textOf(environment[env]);
  const file = secret ? textOf(environment[fileVariableOf(env)]) : undefined;
  if (file === undefined) return own;
  if (own !== undefined) throw new Error(`${env} and ${fileVariableOf(env)} are both set; unset one of them`);
  return contentOf(file, fileVariableOf(env));
}

function contentOf(file: string, variable: string): string {
  const content = textOf(readSecret(file, variable));
  if (content === undefined) throw new Error(`${variable}: the file ${file} is empty`);
  return content;
}

function readSecret(file: string, variable: string): string {
  try {
    return readNamedFile(file, MAX_SECRET_BYTES);
  } catch (error) {
    throw new Error(`${variable}: ${(error as Error).message}`, { cause: error });
  }
}

function textOf(given: string | undefined): string | undefined {
  const text = given?.trim();
  return text === '' ? undefined : text;
}
