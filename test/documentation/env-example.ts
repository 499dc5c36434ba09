import { settingsOf, type DeclaredSetting, type SettingsClass } from '@form-webhooks/settings';

/** Who reads some settings, and what these are about. */
export interface Heading {
  readonly readers: readonly string[];
  readonly note: string;
}

/** Some settings under one heading. */
export interface SettingsGroup extends Heading {
  readonly settings: readonly DeclaredSetting[];
}

const WIDTH = 118;
const RULE = '#'.repeat(WIDTH);

/**
 * The settings of the apps by who reads them. A setting that several apps declare for themselves, each with a default of
 * its own, stands in the group of each.
 * @throws Error if some apps share settings and no heading is about them
 */
export function groupByReaders(
  apps: Readonly<Record<string, SettingsClass>>,
  headings: readonly Heading[],
): SettingsGroup[] {
  const declared = new Set(Object.values(apps).flatMap(settingsOf));
  const groups = headings.map((heading) => ({ ...heading, settings: [] as DeclaredSetting[] }));
  for (const setting of declared) {
    const readers = Object.keys(apps).filter((app) => settingsOf(apps[app]!).includes(setting));
    const group = groups.find((one) => one.readers.join() === readers.join());
    if (!group) throw new Error(`no heading is about what ${readers.join(' and ')} share: ${setting.env}`);
    group.settings.push(setting);
  }
  return groups;
}

/** The text of `.env.example`: every setting of every service with its meaning and its default. */
export function renderEnvExample(introduction: string, groups: readonly SettingsGroup[]): string {
  const parts = [introduction.trim().split('\n').map(comment).join('\n')];
  for (const group of groups) parts.push(renderHeading(group), ...group.settings.map(renderSetting));
  return `${parts.join('\n\n')}\n`;
}

function renderHeading({ readers, note }: Heading): string {
  const title = readers.length > 2 ? 'every service' : readers.join(' and ');
  return [RULE, ...wrap(`${title}: ${note}`), RULE].join('\n');
}

/** A setting with a default is commented out at it; a required one waits to be filled in. */
function renderSetting(setting: DeclaredSetting): string {
  const { env, meaning, secret } = setting;
  const isRequired = setting.default === undefined && !setting.optional;
  const traits = [...(isRequired ? ['required'] : []), ...(secret ? ['secret'] : [])];
  const text = `${meaning}${traits.length > 0 ? ` (${traits.join(', ')})` : ''}`;
  return [...wrap(text), `${isRequired ? '' : '#'}${env}=${setting.default ?? ''}`].join('\n');
}

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
