import { query } from './database';

export const storedMask = async (leaseId: string) => (await storedAnswer(leaseId)).mask;

/** The answer to a lease, as the database of the instance under test holds it. */
export async function storedAnswer(leaseId: string): Promise<{ value?: unknown; mask?: string }> {
  const [answer] = await query('select value, mask from answers where lease_id = $1', [leaseId]);
  return answer ?? {};
}
