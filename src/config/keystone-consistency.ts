import type { Config } from './options.ts';

type Value = string | undefined;

/** What is wrong with a secret that is given as it is or in a file. */
function secretFault(name: string, given: Value, file: Value): string | undefined {
  if (given !== '' && file !== '') return `Give ${name} or ${name}_file, not both.`;
  return given === '' && file === '' ? `${name} is missing: give it, or ${name}_file.` : undefined;
}

function missing(name: string, given: string): string | undefined {
  return given === '' ? `${name} is missing: Keystone is to be asked.` : undefined;
}

function credentialsFault(config: Config): string | undefined {
  if (config.keystoneAuthType === 'password') {
    return (
      missing('username', config.keystoneUsername) ??
      secretFault('password', config.keystonePassword, config.keystonePasswordFile)
    );
  }
  return (
    missing('application_credential_id', config.keystoneApplicationCredentialId) ??
    secretFault(
      'application_credential_secret',
      config.keystoneApplicationCredentialSecret,
      config.keystoneApplicationCredentialSecretFile,
    )
  );
}

/** Whether anything is to be asked of Keystone. */
export function usesKeystone({ authStrategy, quotasVerifyProjectId }: Config): boolean {
  return authStrategy.includes('keystone') || quotasVerifyProjectId;
}

/** Why Keystone cannot be asked with these options although it is to be; undefined if it can, or is not to be. */
export function keystoneFault(config: Config): string | undefined {
  if (!usesKeystone(config)) return undefined;
  const hasHalfCertificate = (config.keystoneCertfile === '') !== (config.keystoneKeyfile === '');
  if (hasHalfCertificate) return 'Give certfile and keyfile, or neither.';
  return missing('auth_url', config.keystoneAuthUrl) ?? credentialsFault(config);
}
