interface HeldRole {
  project: string;
  role: string;
}

/** "rival10: curator, researcher; birds: worker". */
export function describeRoles(held: HeldRole[]): string {
  const byProject = new Map<string, string[]>();
  for (const { project, role } of held) byProject.set(project, [...(byProject.get(project) ?? []), role]);
  return [...byProject].map(([project, roles]) => `${project}: ${roles.join(', ')}`).join('; ');
}
