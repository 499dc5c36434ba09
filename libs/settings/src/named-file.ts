import { readFileSync, statSync } from 'node:fs';

/**
 * The text of a file that a setting names.
 * @param maxBytes a longer one is a mistake, such as a log or a device
 * @throws Error that names the file, and never says what is in it
 */
export function readNamedFile(file: string, maxBytes: number): string {
  try {
    const about = statSync(file);
    if (!about.isFile()) throw new Error('it is no regular file');
    if (about.size > maxBytes) throw new Error(`it has more than ${maxBytes} bytes`);
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(`the file ${file} can not be read: ${(error as Error).message}`, { cause: error });
  }
}
