import type { Config } from './options.ts';

type OptionText = string | undefined;

/** Explains what is wrong with a secret that can be set directly or by a file; undefined if nothing is. */
function secretFault(name: string, given: OptionText, file: OptionText): string | undefined {
  if (given !== '' && file !== '') return `Set ${name} or ${name}_file, not both.`;
  return given === '' && file === '' ? `${name} is missing. Set it, or ${name}_file.` : undefined;
}

function missing(name: string, given: string): string | undefined {
  return given === '' ? `${name} is missing. Set it to use Keystone.` : undefined;
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

/** True if the service uses Keystone at all. */
export function usesKeystone({ authStrategy, quotasVerifyProjectId }: Config): boolean {
  return authStrategy.includes('keystone') || quotasVerifyProjectId;
}

/** Explains why the service cannot use Keystone with these options; undefined if it can, or does not need to. */
export function keystoneFault(config: Config): string | undefined {
  if (!usesKeystone(config)) return undefined;
  const hasHalfCertificate = (config.keystoneCertfile === '') !== (config.keystoneKeyfile === '');
  if (hasHalfCertificate) return 'Set both certfile and keyfile, or neither.';
  return missing('auth_url', config.keystoneAuthUrl) ?? credentialsFault(config);
}
