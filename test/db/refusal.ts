/** What the database says when it refuses; drizzle wraps the reason in an error that quotes the statement. */
export async function refusal(statement: Promise<unknown>): Promise<string> {
  try {
    await statement;
  } catch (error) {
    const { cause = error } = error as Error;
    const { message, constraint } = cause as Error & { constraint?: string };
    return constraint ?? message;
  }
  return 'It was allowed.';
}
