import { createRootRouteWithContext, createRoute, createRouter, redirect } from '@tanstack/react-router';
import { lazyView, type LazyView } from './lazy-views/lazy-view.js';
import { ViewFailed } from './lazy-views/view-failed.js';
import type { Session } from './session/session.js';
import { NotHere } from './shell/not-here.js';
import { Shell } from './shell/shell.js';

/** Every search parameter is a text: addresses are read by people. */
type Search = Readonly<Record<string, string | undefined>>;

const keepTexts = (search: Record<string, unknown>): Search =>
  Object.fromEntries(Object.entries(search).filter((pair): pair is [string, string] => typeof pair[1] === 'string'));

type ViewName =
  | 'EndpointsView'
  | 'EndpointView'
  | 'DeliveriesView'
  | 'DeliveryPanel'
  | 'ReplayView'
  | 'StatisticsView'
  | 'AuditView'
  | 'AccessView';

/** Each with code of its own, which the first view need not wait for. Typed here, as views ask for the router's type. */
const LAZY: Readonly<Record<ViewName, LazyView>> = {
  EndpointsView: lazyView(async () => (await import('./endpoints/endpoints-view.js')).EndpointsView),
  EndpointView: lazyView(async () => (await import('./endpoints/endpoint-view.js')).EndpointView),
  DeliveriesView: lazyView(async () => (await import('./deliveries/deliveries-view.js')).DeliveriesView),
  DeliveryPanel: lazyView(async () => (await import('./deliveries/delivery-panel.js')).DeliveryPanel),
  ReplayView: lazyView(async () => (await import('./replays/replay-view.js')).ReplayView),
  StatisticsView: lazyView(async () => (await import('./statistics/statistics-view.js')).StatisticsView),
  AuditView: lazyView(async () => (await import('./audit/audit-view.js')).AuditView),
  AccessView: lazyView(async () => (await import('./access/access-view.js')).AccessView),
};

/** Loads the code of every view: who loses the connection later can still go to each. */
export const loadAllViews = (): Promise<unknown> => Promise.all(Object.values(LAZY).map(({ preload }) => preload()));

const root = createRootRouteWithContext<{ readonly session: Session }>()({
  component: Shell,
  notFoundComponent: NotHere,
});

const start = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: ({ context }) => {
    redirect({
      to: '/forms/$formId/endpoints',
      params: { formId: context.session.form_id },
      replace: true,
      throw: true,
    });
  },
});

const form = createRoute({ getParentRoute: () => root, path: '/forms/$formId' });

const formStart = createRoute({
  getParentRoute: () => form,
  path: '/',
  beforeLoad: ({ params }) => {
    redirect({ to: '/forms/$formId/endpoints', params, replace: true, throw: true });
  },
});

const endpoints = createRoute({
  getParentRoute: () => form,
  path: '/endpoints',
  component: LAZY.EndpointsView,
});

const endpoint = createRoute({
  getParentRoute: () => form,
  path: '/endpoints/$endpointId',
  component: LAZY.EndpointView,
});

const deliveries = createRoute({
  getParentRoute: () => form,
  path: '/deliveries',
  validateSearch: keepTexts,
  component: LAZY.DeliveriesView,
});

const delivery = createRoute({
  getParentRoute: () => deliveries,
  path: '/$deliveryId',
  component: LAZY.DeliveryPanel,
});

const replay = createRoute({
  getParentRoute: () => form,
  path: '/replays/$replayId',
  component: LAZY.ReplayView,
});

const statistics = createRoute({
  getParentRoute: () => form,
  path: '/statistics',
  validateSearch: keepTexts,
  component: LAZY.StatisticsView,
});

const audit = createRoute({
  getParentRoute: () => form,
  path: '/audit',
  validateSearch: keepTexts,
  component: LAZY.AuditView,
});

const access = createRoute({
  getParentRoute: () => form,
  path: '/access',
  component: LAZY.AccessView,
});

const views = [formStart, endpoints, endpoint, deliveries.addChildren([delivery]), replay, statistics, audit, access];

export const router = createRouter({
  routeTree: root.addChildren([start, form.addChildren(views)]),
  basepath: '/dashboard',
  context: { session: undefined as unknown as Session },
  defaultPreload: 'intent',
  defaultErrorComponent: ViewFailed,
  // Of another form, endpoint or delivery it is another view: what was asked in a dialog was asked about the first.
  defaultRemountDeps: ({ params }) => params,
  scrollRestoration: true,
  parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
  stringifySearch: (search) => {
    const given = Object.entries(search as Search).filter((pair): pair is [string, string] => (pair[1] ?? '') !== '');
    const text = new URLSearchParams(given).toString();
    return text === '' ? '' : `?${text}`;
  },
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
