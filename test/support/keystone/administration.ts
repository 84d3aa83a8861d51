export const PASSWORD = 'secret';

// biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever came back
type Json = any;
type Scope = Readonly<Record<string, unknown>> | undefined;

export interface KeystoneAnswer {
  readonly status: number;
  readonly token: string | null;
  readonly json: Json;
}

/** What is asked of a Keystone that runs already, as its administrator and as its users. */
export class KeystoneAdministration {
  /** Without `/v3`. */
  readonly url: string;

  constructor(url: string) {
    this.url = url;
  }

  async ask(
    method: string,
    path: string,
    body?: object,
    headers: Record<string, string> = {},
  ): Promise<KeystoneAnswer> {
    const response = await fetch(`${this.url}/v3${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const token = response.headers.get('x-subject-token');
    return { status: response.status, token, json: text === '' ? undefined : JSON.parse(text) };
  }

  /** A token for a user of the default domain. */
  async login(name: string, scope?: Scope): Promise<string> {
    const user = { name, domain: { id: 'default' }, password: PASSWORD };
    return this.#tokenFor({ methods: ['password'], password: { user } }, scope);
  }

  loginWithCredential(id: string): Promise<string> {
    const methods = ['application_credential'];
    return this.#tokenFor({ methods, application_credential: { id, secret: PASSWORD } }, undefined);
  }

  async #tokenFor(identity: object, scope: Scope): Promise<string> {
    const auth = { identity, ...(scope === undefined ? {} : { scope }) };
    const { status, token, json } = await this.ask('POST', '/auth/tokens', { auth });
    if (token === null) throw new Error(`Keystone answers ${status}: ${JSON.stringify(json)}`);
    return token;
  }

  /** Does something as the administrator of the system, who has to be allowed to. */
  async administer(method: string, path: string, body?: object): Promise<Json> {
    const token = await this.login('admin', { system: { all: true } });
    const { status, json } = await this.ask(method, path, body, { 'x-auth-token': token });
    if (status >= 400) throw new Error(`Keystone answers ${status}: ${JSON.stringify(json)}`);
    return json;
  }

  async addProject(name: string): Promise<string> {
    return (await this.administer('POST', '/projects', { project: { name, domain_id: 'default' } })).project
      .id;
  }

  async addUser(name: string): Promise<string> {
    const user = { name, password: PASSWORD, domain_id: 'default' };
    return (await this.administer('POST', '/users', { user })).user.id;
  }

  async #roleId(name: string): Promise<string> {
    const { roles } = await this.administer('GET', `/roles?name=${name}`);
    return roles[0]?.id ?? (await this.administer('POST', '/roles', { role: { name } })).role.id;
  }

  /** @param where `projects/<id>`, `domains/<id>` or `system` */
  async grant(user: string, role: string, where: string): Promise<void> {
    await this.administer('PUT', `/${where}/users/${user}/roles/${await this.#roleId(role)}`);
  }

  async withdraw(user: string, role: string, where: string): Promise<void> {
    await this.administer('DELETE', `/${where}/users/${user}/roles/${await this.#roleId(role)}`);
  }

  /** Names a service in the catalogue. */
  async addService(type: string, url: string): Promise<void> {
    const { service } = await this.administer('POST', '/services', { service: { type, name: type } });
    const endpoint = { service_id: service.id, interface: 'public', region_id: 'RegionOne', url };
    await this.administer('POST', '/endpoints', { endpoint });
  }
}
