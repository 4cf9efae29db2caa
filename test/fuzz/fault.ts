import type { Attack, Reply } from './attack';

/** What no input may bring about: silence, a fault of the server, its insides in an answer, markup from the API. */
export function faultIn(attack: Attack, { status, type, text }: Reply): string | null {
  const says = (what: string) =>
    `${what}: ${attack.name} ${attack.path.slice(0, 300)} ${String(attack.body ?? '').slice(0, 300)} → ${text.slice(0, 300)}`;
  // Node itself refuses headers and addresses beyond its limits, with 400 or 431, and cuts the connection.
  if (status === 0)
    return /ECONNRESET|EPIPE/.test(text) && attack.name.includes('headers') ? null : says('silence');
  if (status >= 500 && status !== 503) return says(`status ${status}`);
  if (/node_modules|at async |\/lib\/|postgres:\/\/|insert into|select .* from/i.test(text) && status >= 400)
    return says('insides');
  if (attack.path.startsWith('/api/') && type.includes('html')) return says('markup');
  return null;
}
