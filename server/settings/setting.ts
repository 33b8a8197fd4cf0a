import type { z } from "zod";

/** Environment variables, as a process has them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** One thing that can be set: the variable, what it may hold, what holds without it, and what the manual says of it. */
export interface Setting {
  /** The environment variable. An empty one counts as not set. */
  readonly variable: string;
  /** Turns the variable's text into the value. Its messages follow the variable's name: "must be …". */
  readonly schema: z.ZodType;
  /** The value when the variable is not set, or how it follows from the others. Without one the variable is required. */
  readonly default?: unknown;
  /** How the manual shows the default, where the value does not show itself. Markdown. */
  readonly defaultText?: string;
  /** What the manual says. Markdown, one line. */
  readonly description: string;
}

/** Settings by the name that their values have in code. */
export type Settings = Readonly<Record<string, Setting>>;

type DefaultOf<S extends Setting> = S extends { readonly default: infer D }
  ? D extends (env: Environment) => infer Value
    ? Value
    : D
  : never;

/** The type of a setting's value. */
export type SettingValue<S extends Setting> = z.output<S["schema"]> | DefaultOf<S>;

/** The values of settings, by the settings' names. */
export type SettingValues<S extends Settings> = { readonly [Name in keyof S]: SettingValue<S[Name]> };

/** The environment does not describe something that can run; `faults` says all that is wrong with it. */
export class ConfigError extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(
      `The configuration has ${faults.length === 1 ? "a fault" : `${faults.length} faults`}:\n  ${faults.join("\n  ")}`,
    );
    this.name = "ConfigError";
    this.faults = faults;
  }
}

/** What an environment gives of some settings, and everything that is wrong with it. */
export interface SettingsReading<S extends Settings> {
  /** Without those that are faulty. */
  readonly values: Partial<SettingValues<S>>;
  /** Each begins with the variable's name. */
  readonly faults: readonly string[];
}

/** Reads settings and notes every fault. */
export function inspectSettings<S extends Settings>(settings: S, env: Environment): SettingsReading<S> {
  const values: Record<string, unknown> = {};
  const faults: string[] = [];
  for (const [name, setting] of Object.entries(settings)) {
    const { variable, schema } = setting;
    const text = env[variable] || undefined;
    if (text === undefined && "default" in setting) {
      values[name] = typeof setting.default === "function" ? setting.default(env) : setting.default;
      continue;
    }
    const parsed = schema.safeParse(text);
    if (parsed.success) values[name] = parsed.data;
    else faults.push(...parsed.error.issues.map(({ message }) => `${variable} ${message}`));
  }
  return { values: values as Partial<SettingValues<S>>, faults };
}

/** Reads settings. @throws {ConfigError} naming every fault at once. */
export function readSettings<S extends Settings>(settings: S, env: Environment): SettingValues<S> {
  const { values, faults } = inspectSettings(settings, env);
  if (faults.length > 0) throw new ConfigError(faults);
  return values as SettingValues<S>;
}

/** Reads one setting. @throws {ConfigError} */
export function readSetting<S extends Setting>(setting: S, env: Environment): SettingValue<S> {
  return readSettings({ setting }, env).setting;
}
