/** Which calls take an id out of an answer, by their operation ids. */
const linksTo = (operations: readonly string[], parameters: Readonly<Record<string, string>>) =>
  Object.fromEntries(operations.map((operationId) => [operationId, { operationId, parameters: { ...parameters } }]));

/** The form that an answer is about. */
const FORM_IN_PATH = { form_id: '$request.path.form_id' };

export const LINKS_OF_FORM = linksTo(
  ['get_form', 'remove_form', 'list_endpoints', 'create_endpoint', 'list_events', 'list_deliveries', 'watch_form'],
  { form_id: '$response.body#/id' },
);
export const LINKS_OF_ENDPOINT = linksTo(
  ['get_endpoint', 'update_endpoint', 'delete_endpoint', 'send_test', 'get_secret_state'],
  { ...FORM_IN_PATH, endpoint_id: '$response.body#/id' },
);
export const LINKS_OF_DELIVERY = linksTo(['get_delivery'], {
  ...FORM_IN_PATH,
  delivery_id: '$response.body#/delivery_id',
});
export const LINKS_OF_REPLAY = linksTo(['get_replay', 'cancel_replay'], {
  ...FORM_IN_PATH,
  replay_id: '$response.body#/id',
});
