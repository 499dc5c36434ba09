import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { metricsOfApps } from './app-metrics.js';
import { deploymentOf, manifestOf, type Manifest } from './manifests.js';
import { anchorsOf, codeWords, tableUnder } from './pages.js';
import { namesIn } from './promql.js';
import { filesBelow, readText } from './repository.js';

interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook_url: string };
}
interface Rules {
  readonly groups: readonly { readonly rules: readonly Alert[] }[];
}
interface RuleTests {
  readonly tests: readonly {
    readonly name: string;
    readonly promql_expr_test: readonly { readonly expr: string; readonly exp_samples: readonly unknown[] }[];
  }[];
}
interface Board {
  readonly uid: string;
  readonly panels: readonly { readonly title: string; readonly targets?: readonly { readonly expr: string }[] }[];
}

interface ScaledObject {
  readonly spec: { readonly triggers: readonly { readonly metadata: { readonly query?: string } }[] };
}
interface Scraping {
  readonly rule_files: readonly string[];
  readonly scrape_configs: readonly {
    readonly job_name: string;
    readonly dns_sd_configs?: readonly { readonly names: readonly string[] }[];
    readonly kubernetes_sd_configs?: readonly { readonly namespaces: { readonly names: readonly string[] } }[];
    readonly relabel_configs?: readonly { readonly source_labels: readonly string[]; readonly regex?: string }[];
  }[];
}

const ROOM = 'deploy/observability';
/** Where this repository can be read: said by who runs Prometheus. */
const BASE = '{{ $externalLabels.runbooks }}';
/** Of Prometheus itself, and the series of each histogram. */
const ALWAYS = ['up', 'ALERTS'];
const LABELS_ALWAYS = ['job', 'instance', 'app', 'alertname', 'alertstate', 'severity'];
const NODES_OWN = /^(?:process|nodejs)_/;

const { groups } = parse(readText(`${ROOM}/rules.yaml`)) as Rules;
const alerts = groups.flatMap(({ rules }) => rules);
const boards = filesBelow(`${ROOM}/boards`, '.json').map((file) => JSON.parse(readText(file)) as Board);
const expressions = [
  ...alerts.map(({ alert, expr }) => [alert, expr] as const),
  ...boards.flatMap(({ uid, panels }) =>
    panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => [`${uid}: ${title}`, expr] as const)),
  ),
  ...manifestOf<ScaledObject>('ScaledObject').spec.triggers.flatMap(({ metadata }) =>
    metadata.query === undefined ? [] : [['what KEDA asks', metadata.query] as const],
  ),
];
const plain = (cell: string): string => cell.replaceAll('`', '');

/** The apps that have each metric, and its labels. */
let known: Map<string, { readonly apps: string[]; readonly labels: readonly string[] }>;
let series: ReadonlyMap<string, readonly string[]>;

beforeAll(async () => {
  known = new Map();
  const all = new Map<string, readonly string[]>();
  for (const [app, metrics] of await metricsOfApps()) {
    for (const { name, labels, kind } of metrics) {
      known.set(name, { apps: [...(known.get(name)?.apps ?? []), app], labels });
      if (kind !== 'histogram') all.set(name, labels);
      else for (const end of ['_bucket', '_sum', '_count']) all.set(`${name}${end}`, [...labels, 'le']);
    }
  }
  series = all;
}, 60_000);

describe('docs/monitoring.md', () => {
  const page = readText('docs/monitoring.md');

  it('lists every metric that the services have and no other, with its app', () => {
    const own = [...known].filter(([name]) => !NODES_OWN.test(name));
    const appOf = (apps: readonly string[]): string => (apps.length > 1 ? 'all' : apps[0]!);
    const byName = (rows: readonly (readonly [string, string])[]) => Object.fromEntries(rows.toSorted());
    expect(byName(tableUnder(page, 'Metrics').map(([name, app]) => [plain(name!), app!]))).toEqual(
      byName(own.map(([name, { apps }]) => [name, appOf(apps)])),
    );
  });

  it('answers each question by metrics that there are', () => {
    const answers = tableUnder(page, 'Asked at three in the morning');
    expect(answers.length).toBeGreaterThan(20);
    for (const [question, answer] of answers) {
      const named = codeWords(answer!).filter((word) => /^(?:service|broker|ingest|webhook|config)_\w+$/.test(word));
      expect(named.length, question).toBeGreaterThan(0);
      for (const name of named) expect(known.has(name), `${question} ${name}`).toBe(true);
    }
  });
});

describe('rules and boards', () => {
  it('name metrics that the services have, with labels that these have', () => {
    for (const [where, expression] of expressions) {
      const { metrics, labels } = namesIn(expression);
      expect(metrics.length, where).toBeGreaterThan(0);
      for (const name of metrics) expect(series.has(name) || ALWAYS.includes(name), `${where}: ${name}`).toBe(true);
      const allowed = [...LABELS_ALWAYS, ...metrics.flatMap((name) => series.get(name) ?? [])];
      for (const label of labels) expect(allowed, `${where}: ${label}`).toContain(label);
    }
  });

  it('are scraped where the services serve their metrics, under the job that the rules ask for', () => {
    const jobs = alerts.flatMap(({ expr }) => [...expr.matchAll(/job="([^"]+)"/g)].map(([, job]) => job!));
    expect(jobs).not.toHaveLength(0);
    for (const file of ['prometheus.yaml', 'prometheus-kubernetes.yaml']) {
      const { rule_files, scrape_configs } = parse(readText(`${ROOM}/${file}`)) as Scraping;
      expect(rule_files, file).toEqual(['rules.yaml']);
      expect(
        scrape_configs.map(({ job_name }) => job_name),
        file,
      ).toEqual([...new Set(jobs)]);
    }
  });

  it('are scraped from what runs: in Compose by its name, in Kubernetes by the name of its port', () => {
    const [compose, kubernetes] = ['prometheus.yaml', 'prometheus-kubernetes.yaml'].map(
      (file) => (parse(readText(`${ROOM}/${file}`)) as Scraping).scrape_configs[0]!,
    );
    const apps = ['config', 'dispatcher', 'ingest'];
    expect(compose!.dns_sd_configs![0]!.names).toEqual(apps);
    const { metadata } = manifestOf<Manifest>('Namespace');
    expect(kubernetes!.kubernetes_sd_configs![0]!.namespaces.names).toEqual([metadata.name]);
    const { regex } = kubernetes!.relabel_configs!.find(({ source_labels }) =>
      source_labels.includes('__meta_kubernetes_pod_container_port_name'),
    )!;
    for (const app of apps) {
      const ports = deploymentOf(app).container.ports!.filter(({ name }) => name === regex);
      expect(
        ports.map(({ containerPort }) => containerPort),
        app,
      ).toEqual([9090]);
    }
  });
});

describe('an alert', () => {
  it('says what to do by a heading that there is', () => {
    for (const { alert, annotations, labels } of alerts) {
      // Without a base Alertmanager and Grafana would show a path that leads nowhere.
      expect(annotations.runbook_url.startsWith(BASE), alert).toBe(true);
      const [file, anchor] = annotations.runbook_url.slice(BASE.length).split('#');
      expect(['docs/troubleshooting.md', 'docs/operations.md'], alert).toContain(file);
      expect(anchorsOf(readText(file!)), alert).toContain(anchor);
      expect(annotations.summary, alert).toMatch(/^[A-Z].*\.$/);
      expect(['critical', 'warning', 'info'], alert).toContain(labels.severity);
    }
  });

  it('has a name of its own, and a test in which it is silent and one in which it fires', () => {
    const { tests } = parse(readText(`${ROOM}/rules.test.yaml`)) as RuleTests;
    const names = alerts.map(({ alert }) => alert);
    expect(new Set(names).size).toBe(names.length);
    expect(tests.map(({ name }) => name)).toEqual(names);
    for (const { name, promql_expr_test: asked } of tests) {
      for (const { expr } of asked) expect(expr, name).toContain(`alertname="${name}"`);
      expect(
        asked.map(({ exp_samples }) => exp_samples.length),
        name,
      ).toEqual([0, 1]);
    }
  });
});
