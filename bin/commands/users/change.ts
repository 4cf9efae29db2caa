import { eq } from 'drizzle-orm';
import { type Database, tables } from '@/db';
import { notFound } from '@/lib/core/errors';
import { type UserChange, updateUser } from '@/lib/services/accounts/users';
import { commandLine } from '../../actor';
import { type Command, defineCommand, UsageError } from '../../command';
import { enterDatabase } from '../../database/enter';

/** A command that changes the account with the given e-mail address. */
export const changing = (change: UserChange, done: string): Command =>
  defineCommand({
    usage: '<e-mail>',
    async run(_, [email]) {
      if (!email) throw new UsageError('Which e-mail address?');
      await using entered = await enterDatabase();
      await updateUser(entered.db, commandLine, await userIdOf(entered.db, email), change);
      console.log(`${email.toLowerCase()} ${done}.`);
      return 0;
    },
  });

async function userIdOf(db: Database, email: string): Promise<string> {
  const [user] = await db
    .select({ id: tables.users.id })
    .from(tables.users)
    .where(eq(tables.users.email, email.toLowerCase()));
  if (!user) throw notFound('user');
  return user.id;
}
