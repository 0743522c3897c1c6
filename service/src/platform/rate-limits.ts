export interface RateLimitBinding {
  limit(options: { key: string }): Promise<{ success: boolean }>;
}
