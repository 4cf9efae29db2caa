import type { TestProject } from 'vitest/node';
import { startTestServer } from './support/server';

declare module 'vitest' {
  interface ProvidedContext {
    adminUrl: string;
  }
}

export default async function setup(project: TestProject) {
  const server = await startTestServer();
  project.provide('adminUrl', server.adminUrl);
  return () => server.stop();
}
