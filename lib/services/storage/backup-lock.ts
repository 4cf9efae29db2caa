/** Any number; whoever makes a backup holds it alone, and whoever deletes files holds it with others of its kind. */
export const backupLock = 7_355_609;
