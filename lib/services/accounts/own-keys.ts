import { eq, sql } from 'drizzle-orm';
import { type Database, type Db, tables } from '@/db';
import { KeyChoices, WorkspaceSettings } from '@/lib/core/editor';
import { type Locale, readLocale } from '@/lib/core/i18n/locales';

const { users } = tables;

/** The keys that a person chose for the annotator; what cannot be read any more counts as not chosen. */
export async function ownKeys(db: Db, userId: string): Promise<KeyChoices> {
  const [user] = await db.select({ preferences: users.preferences }).from(users).where(eq(users.id, userId));
  return KeyChoices.safeParse(user?.preferences.keys ?? {}).data ?? {};
}

/** With the account, so that they are there in every browser. Other preferences stay as they are. */
export async function keepOwnKeys(db: Database, userId: string, choices: KeyChoices): Promise<void> {
  await db
    .update(users)
    .set({ preferences: sql`jsonb_set(${users.preferences}, '{keys}', ${JSON.stringify(choices)}::jsonb)` })
    .where(eq(users.id, userId));
}

/** Tool and view settings of the annotator; a setting that cannot be read any more has its default. */
export async function ownSettings(db: Db, userId: string): Promise<WorkspaceSettings> {
  const [user] = await db.select({ preferences: users.preferences }).from(users).where(eq(users.id, userId));
  return WorkspaceSettings.safeParse(user?.preferences.workspace ?? {}).data ?? {};
}

export async function keepOwnSettings(
  db: Database,
  userId: string,
  settings: WorkspaceSettings,
): Promise<void> {
  await db
    .update(users)
    .set({
      preferences: sql`jsonb_set(${users.preferences}, '{workspace}', ${JSON.stringify(settings)}::jsonb)`,
    })
    .where(eq(users.id, userId));
}

/** The language that a person chose; null while the browser decides. */
export async function ownLanguage(db: Db, userId: string): Promise<Locale | null> {
  const [user] = await db.select({ preferences: users.preferences }).from(users).where(eq(users.id, userId));
  return readLocale(user?.preferences.language);
}

export async function keepOwnLanguage(db: Database, userId: string, locale: Locale): Promise<void> {
  await db
    .update(users)
    .set({
      preferences: sql`jsonb_set(${users.preferences}, '{language}', ${JSON.stringify(locale)}::jsonb)`,
    })
    .where(eq(users.id, userId));
}

/** The projects whose guide a person has read to its end. */
export async function readGuides(db: Db, userId: string): Promise<ReadonlySet<string>> {
  const [user] = await db.select({ preferences: users.preferences }).from(users).where(eq(users.id, userId));
  const read = user?.preferences.readGuides;
  return new Set(Array.isArray(read) ? read.filter((id) => typeof id === 'string') : []);
}

export async function keepGuideRead(db: Database, userId: string, projectId: string): Promise<void> {
  await db.transaction(async (tx) => {
    const [user] = await tx
      .select({ preferences: users.preferences })
      .from(users)
      .where(eq(users.id, userId))
      .for('no key update');
    const read = user?.preferences.readGuides;
    const ids = new Set<unknown>(Array.isArray(read) ? read : []);
    if (!user || ids.has(projectId)) return;
    await tx
      .update(users)
      .set({ preferences: { ...user.preferences, readGuides: [...ids, projectId] } })
      .where(eq(users.id, userId));
  });
}
