import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router';
import type { Session } from './session/session.js';
import { NotHere } from './shell/not-here.js';
import { Shell } from './shell/shell.js';

/** Every search parameter is a text: addresses are read by people. */
type Search = Readonly<Record<string, string | undefined>>;

const keepTexts = (search: Record<string, unknown>): Search =>
  Object.fromEntries(Object.entries(search).filter((pair): pair is [string, string] => typeof pair[1] === 'string'));

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
  component: lazyRouteComponent(() => import('./endpoints/endpoints-view.js'), 'EndpointsView'),
});

const endpoint = createRoute({
  getParentRoute: () => form,
  path: '/endpoints/$endpointId',
  component: lazyRouteComponent(() => import('./endpoints/endpoint-view.js'), 'EndpointView'),
});

const deliveries = createRoute({
  getParentRoute: () => form,
  path: '/deliveries',
  validateSearch: keepTexts,
  component: lazyRouteComponent(() => import('./deliveries/deliveries-view.js'), 'DeliveriesView'),
});

const delivery = createRoute({
  getParentRoute: () => deliveries,
  path: '/$deliveryId',
  component: lazyRouteComponent(() => import('./deliveries/delivery-panel.js'), 'DeliveryPanel'),
});

const replay = createRoute({
  getParentRoute: () => form,
  path: '/replays/$replayId',
  component: lazyRouteComponent(() => import('./replays/replay-view.js'), 'ReplayView'),
});

const statistics = createRoute({
  getParentRoute: () => form,
  path: '/statistics',
  validateSearch: keepTexts,
  component: lazyRouteComponent(() => import('./statistics/statistics-view.js'), 'StatisticsView'),
});

const audit = createRoute({
  getParentRoute: () => form,
  path: '/audit',
  validateSearch: keepTexts,
  component: lazyRouteComponent(() => import('./audit/audit-view.js'), 'AuditView'),
});

const access = createRoute({
  getParentRoute: () => form,
  path: '/access',
  component: lazyRouteComponent(() => import('./access/access-view.js'), 'AccessView'),
});

const views = [formStart, endpoints, endpoint, deliveries.addChildren([delivery]), replay, statistics, audit, access];

export const router = createRouter({
  routeTree: root.addChildren([start, form.addChildren(views)]),
  basepath: '/dashboard',
  context: { session: undefined as unknown as Session },
  defaultPreload: 'intent',
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
