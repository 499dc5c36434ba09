import { EXIT, type ExitCode, type OpsCall } from '../ops-command.js';
import { isBad, type Finding } from './finding.js';

const MARKS = { fine: 'ok     ', warning: 'warning', wrong: 'WRONG  ', unknown: 'unknown' } as const;

/** Findings as lines for people, and how many are of which kind at the end. */
export const findingLines = (findings: readonly Finding[]): string[] => [...findings.flatMap(linesOf), endOf(findings)];

function linesOf({ check, verdict, what, repair, see }: Finding): string[] {
  const rest = [...(repair === null ? [] : [`what to do: ${repair}`]), ...(see === null ? [] : [`see ${see}`])];
  const indent = ' '.repeat(9);
  return [
    `${MARKS[verdict]}  ${check}: ${what}`,
    ...rest.map((line) => indent + line.replaceAll('\n', `\n${indent}  `)),
  ];
}

function endOf(findings: readonly Finding[]): string {
  const count = (verdict: Finding['verdict']): number => findings.filter((one) => one.verdict === verdict).length;
  const warnings = count('warning') === 0 ? '' : `, ${count('warning')} with a warning`;
  if (!findings.some(isBad)) return `all is well${warnings}`;
  return `${count('wrong')} wrong, ${count('unknown')} could not be looked at, ${count('fine')} fine${warnings}`;
}

/** Prints findings as the result of a command. @returns whether somebody has to do something, as its exit code */
export function concludeWith({ output }: OpsCall, findings: readonly Finding[]): ExitCode {
  const isFine = !findings.some(isBad);
  output.result({ fine: isFine, findings }, findingLines(findings));
  return isFine ? EXIT.fine : EXIT.found;
}
