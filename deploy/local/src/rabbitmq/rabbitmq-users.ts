/** A user of the broker, with the regular expressions of the names that it may configure, write and read. */
export interface RabbitMqUser {
  readonly name: string;
  readonly password: string;
  readonly configure: string;
  readonly write: string;
  readonly read: string;
}

/**
 * An Erlang expression that makes these users, or gives those that exist their passwords and rights anew: one call for
 * all, as each can start a virtual machine of its own, which takes a second.
 */
export function expressionForUsers(users: readonly RabbitMqUser[], by: string): string {
  const each = users.map(({ name, password, configure, write, read }) => {
    const [user, actor] = [binary(name), binary(by)];
    return `begin
      ok = case rabbit_auth_backend_internal:exists(${user}) of
        true -> rabbit_auth_backend_internal:change_password(${user}, ${binary(password)}, ${actor});
        false -> rabbit_auth_backend_internal:add_user(${user}, ${binary(password)}, ${actor})
      end,
      ok = rabbit_auth_backend_internal:set_permissions(${user}, <<"/">>,
        ${binary(configure)}, ${binary(write)}, ${binary(read)}, ${actor})
    end`;
  });
  return `${each.join(', ')}.`;
}

const binary = (text: string): string => `<<"${text.replace(/[\\"]/g, '\\$&')}">>`;
