import { settingsOf, type DeclaredSetting } from '@form-webhooks/settings';

/** Some settings under one heading, with what they are about. */
export interface SettingsGroup {
  readonly title: string;
  readonly note: string;
  readonly settings: readonly DeclaredSetting[];
}

const WIDTH = 118;
const RULE = '#'.repeat(WIDTH);

/** What a class declares beyond the classes that it extends. */
export function ownSettings(Class: object, ...inherited: readonly object[]): readonly DeclaredSetting[] {
  const known = new Set(inherited.flatMap((one) => settingsOf(one)).map(({ env }) => env));
  return settingsOf(Class).filter(({ env }) => !known.has(env));
}

/** The text of `.env.example`: every setting of every service with its meaning and its default. */
export function renderEnvExample(introduction: string, groups: readonly SettingsGroup[]): string {
  const listed = new Set<string>();
  const parts = [introduction.trim().split('\n').map(comment).join('\n')];
  for (const group of groups) {
    parts.push(
      renderHeading(group),
      ...group.settings.map((setting) => renderSetting(setting, listed.has(setting.env))),
    );
    for (const { env } of group.settings) listed.add(env);
  }
  return `${parts.join('\n\n')}\n`;
}

const renderHeading = ({ title, note }: SettingsGroup): string => [RULE, ...wrap(`${title}: ${note}`), RULE].join('\n');

/**
 * A setting with a default is commented out at it; a required one waits to be filled in, at its first place alone: an
 * empty line further down would win over the one that was filled in.
 */
function renderSetting(setting: DeclaredSetting, isListed: boolean): string {
  const { env, meaning, secret } = setting;
  const required = isRequired(setting) ? [isListed ? 'required, as above' : 'required'] : [];
  const traits = [...required, ...(secret ? ['secret'] : [])];
  const text = `${meaning}${traits.length > 0 ? ` (${traits.join(', ')})` : ''}`;
  return [...wrap(text), `${isRequired(setting) && !isListed ? '' : '#'}${env}=${shownDefault(setting)}`].join('\n');
}

const isRequired = (setting: DeclaredSetting): boolean => setting.default === undefined && !setting.optional;

/** A lone comma is how a class writes an empty list; empty is what a person would write. */
const shownDefault = (setting: DeclaredSetting): string => (setting.default === ',' ? '' : (setting.default ?? ''));

const comment = (line: string): string => (line === '' ? '#' : `# ${line}`);

function wrap(text: string): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= WIDTH) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(`# ${word}`);
  }
  return lines;
}
