--
-- PostgreSQL database dump
--

\restrict 1GteAfFE4UxLf7s7DIrvw9UGWmsiZNkAyqrVAVzCxO0HHwLDermqHQgd0ByJATN

-- Dumped from database version 15.18 (Debian 15.18-0+deb12u1)
-- Dumped by pg_dump version 15.18 (Debian 15.18-0+deb12u1)

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

SET default_tablespace = '';

SET default_table_access_method = heap;

--
-- Name: accounts; Type: TABLE; Schema: public; Owner: bank
--

CREATE TABLE public.accounts (
    enterprise text NOT NULL,
    type text NOT NULL,
    id text NOT NULL,
    person bytea,
    muted_until bigint,
    replaced_by_type text,
    replaced_by_id text
);


ALTER TABLE public.accounts OWNER TO bank;

--
-- Name: activations; Type: TABLE; Schema: public; Owner: bank
--

CREATE TABLE public.activations (
    id text NOT NULL,
    enterprise text NOT NULL,
    account_type text NOT NULL,
    account_id text NOT NULL,
    issued bigint NOT NULL,
    deadline bigint NOT NULL,
    state bigint NOT NULL,
    closed bigint,
    code bytea,
    claim_digest bytea,
    claim_offer bytea,
    failure_times bytea NOT NULL
);


ALTER TABLE public.activations OWNER TO bank;

--
-- Name: archived_transactions; Type: TABLE; Schema: public; Owner: bank
--

CREATE TABLE public.archived_transactions (
    id text NOT NULL,
    enterprise text NOT NULL,
    account_type text NOT NULL,
    account_id text NOT NULL,
    canonical_bytes bytea NOT NULL,
    accepted_authentication bigint NOT NULL,
    created bigint NOT NULL,
    deadline bigint NOT NULL,
    state bigint NOT NULL,
    closed bigint NOT NULL,
    device bytea,
    detail text,
    evidence bytea
);


ALTER TABLE public.archived_transactions OWNER TO bank;

--
-- Name: attempts; Type: TABLE; Schema: public; Owner: bank
--

CREATE TABLE public.attempts (
    device bytea NOT NULL,
    id bytea NOT NULL,
    created bigint NOT NULL,
    fingerprint bytea NOT NULL,
    verdict text NOT NULL
);


ALTER TABLE public.attempts OWNER TO bank;

--
-- Name: audit; Type: TABLE; Schema: public; Owner: bank
--

CREATE TABLE public.audit (
    sequence bigint NOT NULL,
    moment bigint NOT NULL,
    actor text NOT NULL,
    kind text NOT NULL,
    enterprise text,
    account_type text,
    account_id text,
    subject text NOT NULL,
    detail text NOT NULL,
    traces bytea NOT NULL,
    hash bytea NOT NULL
);


ALTER TABLE public.audit OWNER TO bank;

--
-- Name: bank_calls; Type: TABLE; Schema: public; Owner: bank
--

CREATE TABLE public.bank_calls (
    enterprise text NOT NULL,
    idempotency_key text NOT NULL,
    created bigint NOT NULL,
    fingerprint bytea NOT NULL,
    outcome text NOT NULL
);


ALTER TABLE public.bank_calls OWNER TO bank;

--
-- Name: bank_tokens; Type: TABLE; Schema: public; Owner: bank
--

CREATE TABLE public.bank_tokens (
    id bytea NOT NULL,
    secret_digest bytea NOT NULL,
    name text NOT NULL,
    enterprise text,
    role text NOT NULL,
    created bigint NOT NULL,
    expiry bigint NOT NULL,
    revoked bigint
);


ALTER TABLE public.bank_tokens OWNER TO bank;

--
-- Name: countersign_commits; Type: TABLE; Schema: public; Owner: bank
--

CREATE TABLE public.countersign_commits (
    writer text NOT NULL,
    place bigint NOT NULL,
    number bigint NOT NULL
);


ALTER TABLE public.countersign_commits OWNER TO bank;

--
-- Name: countersign_store; Type: TABLE; Schema: public; Owner: bank
--

CREATE TABLE public.countersign_store (
    id bigint NOT NULL,
    version bigint NOT NULL,
    CONSTRAINT countersign_store_id_check CHECK ((id = 1))
);


ALTER TABLE public.countersign_store OWNER TO bank;

--
-- Name: credentials; Type: TABLE; Schema: public; Owner: bank
--

CREATE TABLE public.credentials (
    device bytea NOT NULL,
    kind bigint NOT NULL,
    id bytea NOT NULL,
    generation bigint NOT NULL,
    counter bigint NOT NULL,
    status bigint NOT NULL,
    confirmed_epoch bigint NOT NULL,
    seed bytea NOT NULL,
    copy_detected bigint NOT NULL,
    counting_device bytea,
    consecutive_failures bigint NOT NULL,
    consecutive_locks bigint NOT NULL,
    locked_until bigint,
    blocked bigint NOT NULL,
    failure_times bytea NOT NULL,
    CONSTRAINT credentials_counter_check CHECK ((counter >= 0)),
    CONSTRAINT credentials_generation_check CHECK ((generation >= 0))
);


ALTER TABLE public.credentials OWNER TO bank;

--
-- Name: devices; Type: TABLE; Schema: public; Owner: bank
--

CREATE TABLE public.devices (
    id bytea NOT NULL,
    enterprise text NOT NULL,
    account_type text NOT NULL,
    account_id text NOT NULL,
    public_key bytea,
    token_suite text,
    name text NOT NULL,
    status bigint NOT NULL,
    activated bigint NOT NULL,
    notifications text NOT NULL,
    CONSTRAINT devices_check CHECK (((public_key IS NULL) <> (token_suite IS NULL)))
);


ALTER TABLE public.devices OWNER TO bank;

--
-- Name: enterprises; Type: TABLE; Schema: public; Owner: bank
--

CREATE TABLE public.enterprises (
    id text NOT NULL,
    policy text NOT NULL,
    policy_version bigint NOT NULL
);


ALTER TABLE public.enterprises OWNER TO bank;

--
-- Name: imports; Type: TABLE; Schema: public; Owner: bank
--

CREATE TABLE public.imports (
    name text NOT NULL,
    line bigint NOT NULL,
    digest bytea NOT NULL,
    accounts bigint NOT NULL,
    tokens bigint NOT NULL,
    rejected bigint NOT NULL
);


ALTER TABLE public.imports OWNER TO bank;

--
-- Name: logins; Type: TABLE; Schema: public; Owner: bank
--

CREATE TABLE public.logins (
    id text NOT NULL,
    enterprise text NOT NULL,
    account_type text NOT NULL,
    account_id text NOT NULL,
    device bytea NOT NULL,
    type text NOT NULL,
    data_digest bytea NOT NULL,
    granted bigint NOT NULL,
    redeemed bigint
);


ALTER TABLE public.logins OWNER TO bank;

--
-- Name: outbox; Type: TABLE; Schema: public; Owner: bank
--

CREATE TABLE public.outbox (
    sequence bigint NOT NULL,
    target bigint NOT NULL,
    device bytea DEFAULT '\x'::bytea NOT NULL,
    enterprise text NOT NULL,
    account_type text NOT NULL,
    account_id text NOT NULL,
    subject text NOT NULL,
    tries bigint NOT NULL,
    started bigint NOT NULL,
    due bigint,
    state bigint NOT NULL
);


ALTER TABLE public.outbox OWNER TO bank;

--
-- Name: rejected_rows; Type: TABLE; Schema: public; Owner: bank
--

CREATE TABLE public.rejected_rows (
    import text NOT NULL,
    line bigint NOT NULL,
    reason text NOT NULL
);


ALTER TABLE public.rejected_rows OWNER TO bank;

--
-- Name: transactions; Type: TABLE; Schema: public; Owner: bank
--

CREATE TABLE public.transactions (
    id text NOT NULL,
    enterprise text NOT NULL,
    account_type text NOT NULL,
    account_id text NOT NULL,
    canonical_bytes bytea NOT NULL,
    accepted_authentication bigint NOT NULL,
    created bigint NOT NULL,
    deadline bigint NOT NULL,
    number bytea,
    state bigint NOT NULL,
    closed bigint,
    device bytea,
    detail text,
    evidence bytea
);


ALTER TABLE public.transactions OWNER TO bank;

--
-- Name: verifier; Type: TABLE; Schema: public; Owner: bank
--

CREATE TABLE public.verifier (
    id bigint NOT NULL,
    store_id bytea NOT NULL,
    epoch bigint NOT NULL,
    audit_sequence bigint NOT NULL,
    audit_moment bigint NOT NULL,
    audit_hash bytea NOT NULL,
    fingerprint_key bytea,
    minimum_key_version bigint NOT NULL,
    is_backup bigint NOT NULL,
    CONSTRAINT verifier_audit_moment_check CHECK ((audit_moment >= 0)),
    CONSTRAINT verifier_audit_sequence_check CHECK ((audit_sequence >= 0)),
    CONSTRAINT verifier_epoch_check CHECK ((epoch >= 0)),
    CONSTRAINT verifier_id_check CHECK ((id = 1)),
    CONSTRAINT verifier_is_copy_check CHECK ((is_backup = ANY (ARRAY[(0)::bigint, (1)::bigint]))),
    CONSTRAINT verifier_least_key_version_check CHECK ((minimum_key_version >= 0))
);


ALTER TABLE public.verifier OWNER TO bank;

--
-- Data for Name: accounts; Type: TABLE DATA; Schema: public; Owner: bank
--

COPY public.accounts (enterprise, type, id, person, muted_until, replaced_by_type, replaced_by_id) FROM stdin;
bank	main	4711	\\xd6e543afedfc6dfaf1d249d3a6c3d84a	1800086400000	\N	\N
bank	main	4712	\\xd6e543afedfc6dfaf1d249d3a6c3d84a	\N	\N	\N
bank	main	4715	\N	\N	\N	\N
bank	main	4714	\N	\N	main	4715
\.


--
-- Data for Name: activations; Type: TABLE DATA; Schema: public; Owner: bank
--

COPY public.activations (id, enterprise, account_type, account_id, issued, deadline, state, closed, code, claim_digest, claim_offer, failure_times) FROM stdin;
4MAVRTJ2D5	bank	main	4711	1800000000000	1800086400000	1	1800000000000	\N	\N	\N	\\x
FQARH410KG	bank	main	4712	1800000000000	1800086400000	1	1800000000000	\N	\N	\N	\\x
E8G7DEGAZK	bank	main	4714	1800000000000	1800086400000	1	1800000000000	\N	\N	\N	\\x
YQT57Q25NS	bank	main	4712	1800691200000	1800777600000	0	\N	\\x010000000192af6ab992c4ae8978c3e97f6843f2863fc7999107063ab1c23d524647f19eb9b8fa590fed0f35ec49e9334752c66cd960ae15	\N	\N	\\x
\.


--
-- Data for Name: archived_transactions; Type: TABLE DATA; Schema: public; Owner: bank
--

COPY public.archived_transactions (id, enterprise, account_type, account_id, canonical_bytes, accepted_authentication, created, deadline, state, closed, device, detail, evidence) FROM stdin;
01a3185c5000fe93b21d1bc41d2b6c13	bank	main	4711	\\x4353545801010000000462616e6b0200000020303161333138356335303030666539336232316431626334316432623663313303000000046d61696e04000000043437313105000000010106000000085472616e73666572070000000100080000000d014555520200000000000012670900000025010000000647726f63657200000016444538393337303430303434303533323031333030300a000000000b000000000c00000001020d00000008000001a3185c50000e00000008000001a3185e24c00f0000000800000000000000001000000010408fc32c18f19cd1bba838a25e510c96	2	1800000000000	1800000120000	1	1800000000000	\\xa34661effbf867fc179dd7b02774cb04	userPIN	\\x012c8343f127e1c56ffbd9a355356b2b6da3b9f97f5c00dbc1ca57d3665b5bdde265da20f8280c28157e6435cf99306f0d8007b7b237f01a006df90ddf33ed1d0000001f636f756e7465727369676e206465636973696f6e2d65766964656e63652031a34661effbf867fc179dd7b02774cb0400000020504b8b1626a8199062eb17aabb8920b2c6c2b7a5b2e0556844f5703bdc8b7c77a50000000475736572000000000000000000000000000000000000000000000000
01a3185c50007f5cff15171d1c8904e5	bank	main	4711	\\x4353545801010000000462616e6b0200000020303161333138356335303030376635636666313531373164316338393034653503000000046d61696e04000000043437313105000000010106000000085472616e73666572070000000100080000000d014555520200000000000012670900000025010000000647726f63657200000016444538393337303430303434303533323031333030300a000000000b000000000c00000001020d00000008000001a3185c50000e00000008000001a3185e24c00f0000000800000000000000001000000010a2cbeab3569e03b9e8022991dfc2e4d6	2	1800000000000	1800000120000	2	1800000000000	\\xa34661effbf867fc179dd7b02774cb04	notMe	\\xa311af2876a151435fc5e89560ef6c7cc1c7e992e0df36ebbd84a36ed0172cfc1add7da11c404948f48d0b21b717a69819597a8dd05b14f222c59b6aea1f1de50000001f636f756e7465727369676e206465636973696f6e2d65766964656e63652031a34661effbf867fc179dd7b02774cb04000000200109325344f19202c8520ced1bf12a32e5f169fbd87af9017955dba3ec37fd7c5900000006646576696365000000000000000000000000000000000000000000000000
\.


--
-- Data for Name: attempts; Type: TABLE DATA; Schema: public; Owner: bank
--

COPY public.attempts (device, id, created, fingerprint, verdict) FROM stdin;
\\xa34661effbf867fc179dd7b02774cb04	\\x0ef10d3c09afd88dc3b17964b20a79b1	1800691200000	\\x16be9f44d09dcde00a7fdc1e90211c9c4d23a905f1b162b2256a1aac7610c058	wrong counted 4
\\xa34661effbf867fc179dd7b02774cb04	\\x90345321c8059cd762a3ac8a9515aad5	1800691200000	\\x1158ba68ac1c80a57bd7646c138089b2ebe8ffc629f0367e961373d1638ab88e	accepted 01a3418f300091cd48dcb81b462963f9
\.


--
-- Data for Name: audit; Type: TABLE DATA; Schema: public; Owner: bank
--

COPY public.audit (sequence, moment, actor, kind, enterprise, account_type, account_id, subject, detail, traces, hash) FROM stdin;
1	1800000000000	operator	enterprise.created	\N	\N	\N	bank		\\x0000000a02020000000462616e6b00000000000000204e0fc91590c1e47efba43945b1c0cf422f8180b2f5c8e8a2b240b20808379f39	\\x8648a5b51bce2e77f12472f5538b93195f7e7719e710a77bc1fe5b6214b92c00
2	1800000000000	operator	account.created	bank	main	4711	main/4711		\\x0000001c03020000000462616e6b02000000046d61696e0200000004343731310000000000000020df3f619804a92fdb4057192dc43dd748ea778adc52bc498ce80524c014b81119	\\x3633f16ece8c1e6835e0ee567c2426d475ab811354c4261e85379e84b91869c3
3	1800000000000	token:core	activation.issued	bank	main	4711	4MAVRTJ2D5		\\x0000001004020000000a344d415652544a32443500000000000000207a0899eae102ab86cc7dc66ffc2b03880fc735300df829992db80ba778e729c7	\\xf2b41cffa37988f25ac08d1ddc9359a2be85c4f12bf931d255b08a14cda1a5df
4	1800000000000	verifier	activation.claimed	bank	main	4711	4MAVRTJ2D5		\\x	\\x8999fc99f85127a92c75de4eac416410663d58179c0b2cb6c48efefff4eea0cf
5	1800000000000	device:a34661effbf867fc179dd7b02774cb04	device.activated	bank	main	4711	a34661effbf867fc179dd7b02774cb04	4MAVRTJ2D5	\\x0000001004020000000a344d415652544a324435000000207a0899eae102ab86cc7dc66ffc2b03880fc735300df829992db80ba778e729c7000000202c165d7803187e56d38d242a01dcba6a164ad8b7254879acc5e3d4b4d83d490a00000016050300000010a34661effbf867fc179dd7b02774cb040000000000000020f28dbdacafa03860195407c22c3c05324ef259ff62285a2001f430f2693d98a40000001f060300000010a34661effbf867fc179dd7b02774cb0401000000000000000100000000000000207315efd18dc9e8f81ca1ce3d9f2212f3c1cbd0d65533e9162c2cfbca62994e660000001f060300000010a34661effbf867fc179dd7b02774cb0401000000000000000200000000000000202026aa5aac55fcac1b5ddd037c97089f32a632f918375fdb7059b3a809daa4dd	\\xa8d62b5a7840dff937a9367a388fa69f4333f66801af3f02aa98bd1c87f1c2ae
6	1800000000000	token:core	device.token-added	bank	main	4711	01a3185c500008909a2bf8e0c0c255e8	A-1	\\x0000001605030000001001a3185c500008909a2bf8e0c0c255e80000000000000020b86ff05a71415f26e54cbbba03446c7f405b21f83edcc1ac99edce12642a892f0000001f06030000001001a3185c500008909a2bf8e0c0c255e80100000000000000020000000000000020d0ddbbc6fe170daec95a54f968a74db0cec80acff28e3620147e767c3315ef2a	\\xa3a2d2f90d1f5c6d36ee33cd7e30c57dcc775fb6b68f8a95670e76a6fda00a60
7	1800000000000	token:core	credential.code-accepted	bank	main	4711	c510489335e92a5fd67754cf673d4cba		\\x0000001f06030000001001a3185c500008909a2bf8e0c0c255e801000000000000000200000020d0ddbbc6fe170daec95a54f968a74db0cec80acff28e3620147e767c3315ef2a00000020d3d83a822668d53bc44c4202e56051a48469b8383318cd8baa9b9bf7694cb2f50000002f0e020000000462616e6b0200000020356434336134653737636630636337633366346632356165393063316335346400000000000000200cd07ea8a87f3f044993169a8d8aa524f2e0cb13747aa8ae1b9a87875204a3cb	\\x5ca2c4b9c03eaf6bab2f66577df2a826a2499fa74f7b0e89cead8821f0af00cd
8	1800000000000	token:core	transaction.created	bank	main	4711	01a3185c5000fe93b21d1bc41d2b6c13	notified	\\x000000260802000000203031613331383563353030306665393362323164316263343164326236633133000000000000002076eb4b7ca6ad24525563352b59e7b0df07f55cb243ed9d3f44f063eef762428f	\\x5c5a34fd4cff578fac6188a732e16fde177302ae5a2a562f7f75dce4f87804b7
9	1800000000000	device:a34661effbf867fc179dd7b02774cb04	transaction.approved	bank	main	4711	01a3185c5000fe93b21d1bc41d2b6c13	userPIN	\\x000000260902000000203031613331383563353030306665393362323164316263343164326236633133000000200831122728aa1f21ad9a5312d3a7d32d277d2db292558fda46074f9db8240267000000209844aae724bbf6fb7f642ed92a94b5343b12577241d8d994621c9041969f76240000001f060300000010a34661effbf867fc179dd7b02774cb04010000000000000001000000207315efd18dc9e8f81ca1ce3d9f2212f3c1cbd0d65533e9162c2cfbca62994e66000000200e8ff1fe9adb355bf54a02070cc0721600b2493242c4020feaea7da9c0c28f860000002b0b0300000010a34661effbf867fc179dd7b02774cb040300000010f80d635ddb0592b623dbe75de3ebd5f90000000000000020392cdd0e5bd2fd78a83c293030eb61b935680691ec59ca43559238ba40fe960f	\\x704283f0e2698c30587ad5c8e6ec83ec487a5c6c574c51fd1d70b378930b8d93
10	1800000000000	token:core	transaction.created	bank	main	4711	01a3185c50007f5cff15171d1c8904e5	notified	\\x0000002608020000002030316133313835633530303037663563666631353137316431633839303465350000000000000020603a6999ef160654a4f96bccf2791846a002692c52786556e86b610af237ec4c	\\xd02d7dd15b820593ad61f2a182a295a062f223cec62920726cea83ec865796c3
11	1800000000000	device:a34661effbf867fc179dd7b02774cb04	transaction.rejected	bank	main	4711	01a3185c50007f5cff15171d1c8904e5	notMe	\\x000000260902000000203031613331383563353030303766356366663135313731643163383930346535000000200831122728aa1f21ad9a5312d3a7d32d277d2db292558fda46074f9db824026700000020cfe8092131e1626971bad4afa5d6d1c5e7de822c617097e4dccd91447b0f9fe80000001c03020000000462616e6b02000000046d61696e02000000043437313100000020df3f619804a92fdb4057192dc43dd748ea778adc52bc498ce80524c014b8111900000020f6ce95984293f911a8e66b5d77fa644456dacc80bdd5e7b8064ff12446560d0c	\\xdaec057ce621bfbefdd1cc8312c8d4d2c45c82f21a83e66ee2bc2719f11baa03
12	1800000000000	device:a34661effbf867fc179dd7b02774cb04	transaction.denied-by-person	bank	main	4711	01a3185c50007f5cff15171d1c8904e5		\\x0000001f060300000010a34661effbf867fc179dd7b02774cb04010000000000000002000000202026aa5aac55fcac1b5ddd037c97089f32a632f918375fdb7059b3a809daa4dd00000020aed91e717d5d193f96c7c73d73079a34e11a6c6dd4a6e3bd5f051c86baa6fd920000002b0b0300000010a34661effbf867fc179dd7b02774cb0403000000102e667bc35efa57fdb97431f83eeecd840000000000000020b54583fd694f9c7597e38d119ee23236b9c5d8272664325c6fd913de6027e55c	\\x16a514744e11aacdbfa4247c16ef8428156839e0555a8dbfa18a38259e72ea22
13	1800000000000	token:core	account.created	bank	main	4712	main/4712		\\x0000001c03020000000462616e6b02000000046d61696e0200000004343731320000000000000020df3f619804a92fdb4057192dc43dd748ea778adc52bc498ce80524c014b81119	\\xe940351a9c61bffa7c4cb61a20564b64539d4920bb2d5c3dac90ab5cb9754caf
14	1800000000000	token:core	account.linked	bank	main	4711	main/4712		\\x0000001c03020000000462616e6b02000000046d61696e02000000043437313100000020f6ce95984293f911a8e66b5d77fa644456dacc80bdd5e7b8064ff12446560d0c000000201fe630fc375fc6e2a98d5553a9a31ab486f73262c45d19833313fe38020423ac0000001c03020000000462616e6b02000000046d61696e02000000043437313200000020df3f619804a92fdb4057192dc43dd748ea778adc52bc498ce80524c014b8111900000020df623922e23e81a0aea4ae58faf3b18a6ddc642acc3ad0d351386caeb4ed75bd	\\x4acc61c2578b8189bb533fa27fbeff7d5f178a68cb266e068f085cd7983bb399
15	1800000000000	token:core	activation.issued	bank	main	4712	FQARH410KG		\\x0000001004020000000a46514152483431304b47000000000000002050bb71632e6aed3813108801f4cce47f350feb149d6faccb3399ef16c04009b6	\\xeb2a5ed2db068798957027a5053a955c1963b6ed82269e31929b7e256dd27c52
16	1800000000000	verifier	activation.claimed	bank	main	4712	FQARH410KG		\\x	\\xafddabb7357d7f467ca999b68e4e7400c237737f8fd83e8db76c60ea8b4f1ca7
17	1800000000000	device:3723587e861d896d01df8955d113f337	device.activated	bank	main	4712	3723587e861d896d01df8955d113f337	FQARH410KG	\\x0000001004020000000a46514152483431304b470000002050bb71632e6aed3813108801f4cce47f350feb149d6faccb3399ef16c04009b600000020cc8d0c2305410560c547d0a1e3ddafc05d68bda65412a5a4575f63f263aa2737000000160503000000103723587e861d896d01df8955d113f3370000000000000020dac310cd7940d5c35edafe2a6ad143491269823273054a268b88eb6d266d5f990000001f0603000000103723587e861d896d01df8955d113f33701000000000000000100000000000000204c90603f9e50cae87b02167c48eb0a70ae8bca063c77a2b09c389804e0111c8e0000001f0603000000103723587e861d896d01df8955d113f33701000000000000000200000000000000204a30005d1e7fd2e1803fcb98fee32f42eed6ddc2027906e0fd0a5dfd95b36791	\\x978d018626f4ee97b9f51cfcf41af3d8a6a5329afa57dc68ecf8d81fce0632c7
18	1800000000000	device:3723587e861d896d01df8955d113f337	device.activated	bank	main	4711	c0fca19a42054d37d7ad49bda16080f5	FQARH410KG	\\x00000016050300000010c0fca19a42054d37d7ad49bda16080f5000000000000002080e82333b4ba9d2300448e04997f3906900c12539527b05ac4c8f1e0007ee3a60000001f060300000010c0fca19a42054d37d7ad49bda16080f50100000000000000010000000000000020a625f8b012bb2edc3e9de8635b3c53214d725fc956e454ac21d87afc435ae5770000001f060300000010c0fca19a42054d37d7ad49bda16080f501000000000000000200000000000000201baf32d4231ff87330b29abf30984e81810a87c80f1a35eeb3d55f58aa7fb878	\\x8c743725349f7dbde9f562f80193568a09c4fdba68c4aa45c75fbc5cc7cc6119
19	1800000000000	token:core	account.created	bank	main	4714	main/4714		\\x0000001c03020000000462616e6b02000000046d61696e0200000004343731340000000000000020df3f619804a92fdb4057192dc43dd748ea778adc52bc498ce80524c014b81119	\\x85b5dc86415294cdeb97ccb300a20952afd93a89e368287c6f290dd49d5aa096
20	1800000000000	token:core	activation.issued	bank	main	4714	E8G7DEGAZK		\\x0000001004020000000a45384737444547415a4b00000000000000201e66d9a48168c768afc67798b1e8017359b6fbb328f71be488b6fc221356ebd4	\\xc3f696d1fbb610799902c6840e51744a2ccf69113704f8d6b9308ee1035f4871
21	1800000000000	verifier	activation.claimed	bank	main	4714	E8G7DEGAZK		\\x	\\xdad4aa9717c16344d4afdb9360a224af30faebc0d6a4e8f5e362709be7151fdb
22	1800000000000	device:b84d4c9eb79829dbad53526dbb299545	device.activated	bank	main	4714	b84d4c9eb79829dbad53526dbb299545	E8G7DEGAZK	\\x0000001004020000000a45384737444547415a4b000000201e66d9a48168c768afc67798b1e8017359b6fbb328f71be488b6fc221356ebd4000000202b8b8df1e67f17d9b6742f0ebf810522131dca58f70b67867231cd62bc8e229f00000016050300000010b84d4c9eb79829dbad53526dbb2995450000000000000020e82e30da1c13273d4eb75350d44d0b0352c764e250924489bf9e80217e2058cc0000001f060300000010b84d4c9eb79829dbad53526dbb2995450100000000000000010000000000000020eb333ff6abd2685a1510bb93d8dabcd48ede21ac9c7fb993fe85fcdf9898d0050000001f060300000010b84d4c9eb79829dbad53526dbb299545010000000000000002000000000000002088f39a131f52766b0bcd835f1e51a6c4116956236ecf0d81abc06dae017ccd62	\\xac055593bfc1d465202d835115af0d73b013710d419eee6c4261236f4ed2dc5a
23	1800000000000	token:core	account.created	bank	main	4715	main/4715		\\x0000001c03020000000462616e6b02000000046d61696e0200000004343731350000000000000020df3f619804a92fdb4057192dc43dd748ea778adc52bc498ce80524c014b8111900000016050300000010b84d4c9eb79829dbad53526dbb29954500000020e82e30da1c13273d4eb75350d44d0b0352c764e250924489bf9e80217e2058cc000000204f4d2f10e246e5904bb92616a567b0b6dd743d07988bf8281c5b604583421d670000001f060300000010b84d4c9eb79829dbad53526dbb29954501000000000000000100000020eb333ff6abd2685a1510bb93d8dabcd48ede21ac9c7fb993fe85fcdf9898d00500000020eb333ff6abd2685a1510bb93d8dabcd48ede21ac9c7fb993fe85fcdf9898d005	\\x0f015579510fe399ac5cee3f3e88cd54c1dc27f2fa9763d4f4ff3bd7ecf2415c
24	1800000000000	token:core	account.replaced	bank	main	4714	main/4715		\\x0000001f060300000010b84d4c9eb79829dbad53526dbb2995450100000000000000020000002088f39a131f52766b0bcd835f1e51a6c4116956236ecf0d81abc06dae017ccd620000002088f39a131f52766b0bcd835f1e51a6c4116956236ecf0d81abc06dae017ccd620000001c03020000000462616e6b02000000046d61696e02000000043437313400000020df3f619804a92fdb4057192dc43dd748ea778adc52bc498ce80524c014b8111900000020696aea2db0b5fd3ff121430ba14fcb8f5611ef51f3be78041fa73d4787369a42	\\xe9b7ba9f65d976e460485da4b5ebf4abbfc6800d72f31b3574902841ab2eba85
25	1800000000000	device:b84d4c9eb79829dbad53526dbb299545	credential.rekeyed	bank	main	4715	10855a5d9274c8370e9ae66945e49a13	1	\\x0000001f060300000010b84d4c9eb79829dbad53526dbb29954501000000000000000100000020eb333ff6abd2685a1510bb93d8dabcd48ede21ac9c7fb993fe85fcdf9898d0050000002095843697ce4136ec80b1ec98df8e5ff89c56719edb020c37e90a9959a4e8fb0d0000002b0b0300000010b84d4c9eb79829dbad53526dbb29954503000000101ee5d035ed8c15942e52ffbb76d965350000000000000020ff710fbb756ea0aca32715e74cf8437097d1d3bcd4dee130b809564ca3cde20f	\\x60f31c87ddc0469df249851d0a283470fdbc276eab73bef50eb45ac81b5fdf31
26	1800691200000	device:a34661effbf867fc179dd7b02774cb04	credential.code-refused	bank	main	4711	30665eeaea370340be86ce21f8d848a1		\\x0000001f070300000010a34661effbf867fc179dd7b02774cb04010000000000000001000000208fe73c51adc7fe99c2f9b7d4a3d7d3e60242dc69cda6dd9c40209f6854308c6c0000002025e141d81e5505ce69182b7d6d9e97ab45d4641b8c8417802c5b57cf9cfd86120000002b0b0300000010a34661effbf867fc179dd7b02774cb0403000000100ef10d3c09afd88dc3b17964b20a79b10000000000000020c865401bab601afe094c554167612dc2aecb4d2877738973c7e278659bf21012	\\x4c201fa1fafbec43fe17e10fc4d0dcbff587f56120a6efa5e3b0aa3e14d061c8
27	1800691200000	device:a34661effbf867fc179dd7b02774cb04	credential.code-accepted	bank	main	4711	30665eeaea370340be86ce21f8d848a1	login	\\x000000260a020000002030316133343138663330303039316364343864636238316234363239363366390000000000000020d41b2bcd54acf4bfb3d04f2f8e1bf4a05364beadc28fca8a1ed3436d0c0d908f0000001f060300000010a34661effbf867fc179dd7b02774cb04010000000000000001000000200e8ff1fe9adb355bf54a02070cc0721600b2493242c4020feaea7da9c0c28f8600000020d77fb515d08cf14710e9ea667da25cb143bda14f2f005203fdb3ccdce8de23d00000001f070300000010a34661effbf867fc179dd7b02774cb040100000000000000010000002025e141d81e5505ce69182b7d6d9e97ab45d4641b8c8417802c5b57cf9cfd86120000002026d113af9b4db7aef3d9fee16c7b1877f33e963d18c6dd1acd9fe7aa3bd6453e0000002b0b0300000010a34661effbf867fc179dd7b02774cb04030000001090345321c8059cd762a3ac8a9515aad500000000000000209605edb631e4656a5c2942b9fd86d0797739c8b2835e36a1967a94df448a7ede	\\x3ed59cc3c0c7f09005fcbeb025362d8505705704784c7a87884c39fcf1eb2eb0
28	1800691200000	token:core	activation.issued	bank	main	4712	YQT57Q25NS		\\x0000001004020000000a59515435375132354e5300000000000000203e48fbfc184401809e2849a463ed9353aff2532cfbc83771c21bdc4b5fa8ccb6	\\x6de73ed9952d9fc0a06416acea33e02733e5af7ad4101cadd45276d760f500e6
29	1800691200000	token:core	transaction.created	bank	main	4711	01a3418f3000b55e8f0a8cf20bb5c448	notified	\\x0000002608020000002030316133343138663330303062353565386630613863663230626235633434380000000000000020ad476e1ad609370a0cad95cb69a540c394d1b72205ce6741277efb41d577661c	\\x7073aaa83138944a89dafd4dbacf098c28f782867df5f19364540c1b3a0142cb
\.


--
-- Data for Name: bank_calls; Type: TABLE DATA; Schema: public; Owner: bank
--

COPY public.bank_calls (enterprise, idempotency_key, created, fingerprint, outcome) FROM stdin;
\.


--
-- Data for Name: bank_tokens; Type: TABLE DATA; Schema: public; Owner: bank
--

COPY public.bank_tokens (id, secret_digest, name, enterprise, role, created, expiry, revoked) FROM stdin;
\.


--
-- Data for Name: countersign_commits; Type: TABLE DATA; Schema: public; Owner: bank
--

COPY public.countersign_commits (writer, place, number) FROM stdin;
\.


--
-- Data for Name: countersign_store; Type: TABLE DATA; Schema: public; Owner: bank
--

COPY public.countersign_store (id, version) FROM stdin;
1	4
\.


--
-- Data for Name: credentials; Type: TABLE DATA; Schema: public; Owner: bank
--

COPY public.credentials (device, kind, id, generation, counter, status, confirmed_epoch, seed, copy_detected, counting_device, consecutive_failures, consecutive_locks, locked_until, blocked, failure_times) FROM stdin;
\\x01a3185c500008909a2bf8e0c0c255e8	2	\\xc510489335e92a5fd67754cf673d4cba	0	4	1	0	\\x010000000161ee74e1640eaa49c0cf5a7914d0d3ac9c377f8c164f938e91b31b7802055d4a6ec5f5a7041317085a340c72f6046e86	0	\N	0	0	\N	0	\\x
\\xa34661effbf867fc179dd7b02774cb04	2	\\x19d7ab31e45559807ddcfb065764f918	0	1	1	0	\\x01000000012cc325b981c7afed315d189a57a47a0586997db6e8a3ad7543d04e892256a314a401acc82e83e7511b4661499dee195d32b57a1699c6e77b0354b95a	0	\N	0	0	\N	0	\\x
\\x3723587e861d896d01df8955d113f337	1	\\x15504d4eebd4e27ecfaf14034437a013	0	0	1	0	\\x010000000196427ac5c4401f60969d95110a913bef44a34696892d86541e1a709e40be215a75ffd98c95f882e146e88fa5eb74ad7e42a3335d1d9e306617cacf6d	0	\N	0	0	\N	0	\\x
\\x3723587e861d896d01df8955d113f337	2	\\x6779e08318c9738c7b87d4f09cb743f7	0	0	1	0	\\x0100000001a889562491d0687bcc022ab1962b43635c0686f6065cae03a5ff969bdbeeb75125760b21a00a1eaa7176f9f39d36bbb7abca7a10235f3aa1de79d361	0	\N	0	0	\N	0	\\x
\\xc0fca19a42054d37d7ad49bda16080f5	1	\\x0a6e274f6a435a87185d50e98d0a68a1	0	0	1	0	\\x01000000014e8e4f8b668d93b46462dc8396979f36ab4055c746fd8d628acd6cf1f07c0f2b949572c45f6456c3770cbe914a533c73a9bf6e9ed38cb8b448cb7abe	0	\\x3723587e861d896d01df8955d113f337	0	0	\N	0	\\x
\\xc0fca19a42054d37d7ad49bda16080f5	2	\\x6a69541e17eccf9f76f24351d592e870	0	0	1	0	\\x01000000013383752fbd93b6491d9e6506abf6935bc6376d74d80e4c659c21b09973004fe35f5f7fbcbc59cda86d31f38a0aea9e2b87f62ada7666a0331d9f1a43	0	\N	0	0	\N	0	\\x
\\xb84d4c9eb79829dbad53526dbb299545	2	\\xcc9ede28092c7d42e866ae7eca37f9ba	0	0	1	0	\\x0100000001ccd45c8e2fef3a9f6be54128bc44e129ad17bfeb2ddd0c15c9b4a1f8906e2c65b90cfb5d7eb4f7df4b7052627846b20602b60c3ccafa08995ce97e94	0	\N	0	0	\N	0	\\x
\\xb84d4c9eb79829dbad53526dbb299545	1	\\x10855a5d9274c8370e9ae66945e49a13	1	1	1	0	\\x01000000012a71ff6a485d3c8d1af8aa6bc064ce7e5b63d2065bcaa37d43f0b9fb5e322a78cbe3acbb82dc61c53f1f34e3ae50aac4c89ac7308ed25c21267630e0	0	\N	0	0	\N	0	\\x
\\xa34661effbf867fc179dd7b02774cb04	1	\\x30665eeaea370340be86ce21f8d848a1	0	2	1	0	\\x010000000155a77945dd8d286fb9c0344d574e67ce251a996a575a10a72a48a82df7f3c28365d8058d0fefaf44ca8cedae93964a6deef629e80124a2cf845521ae	0	\N	0	0	\N	0	\\x000001a3418f3000
\.


--
-- Data for Name: devices; Type: TABLE DATA; Schema: public; Owner: bank
--

COPY public.devices (id, enterprise, account_type, account_id, public_key, token_suite, name, status, activated, notifications) FROM stdin;
\\xa34661effbf867fc179dd7b02774cb04	bank	main	4711	\\x04dbc386f94924df28b052202ab1f348433a2fd60d23cb81f8599794abdd6fba8406b15a0883c9d31d8edc172dc38db801b724df928cb5aa140149b5a9c7cd0605	\N	Phone	1	1800000000000	
\\x01a3185c500008909a2bf8e0c0c255e8	bank	main	4711	\N	HOTP-SHA1-6	A-1	1	1800000000000	
\\x3723587e861d896d01df8955d113f337	bank	main	4712	\\x04507fb0c9b0ee611fb8334f3b9bb3a51da08e26451050582611048d6a740d8308e9022cd1755ff9c44c0fa9e0bc1503b6884cfd18fc25fb1c9486f10aff04e994	\N	Phone	1	1800000000000	
\\xc0fca19a42054d37d7ad49bda16080f5	bank	main	4711	\\x04ab05714cae1c96d672d9b335ee384f98f0fc1970eb0a0de2b529bb55fc584a9f9e49788d0d674c38a2cbc29a8112cc34d606a8f0173b8418aa674d942df4f454	\N	Phone	1	1800000000000	
\\xb84d4c9eb79829dbad53526dbb299545	bank	main	4715	\\x04e71cab3f9c0d12896e80ee6f1ef6a857fb002e05c713e664a9fc58aee22e0113aeaf0b24096f25721023c3f1160b737ae7b8b1db36d40704d9befb5f7ddbaa4e	\N	Phone	1	1800000000000	
\.


--
-- Data for Name: enterprises; Type: TABLE DATA; Schema: public; Owner: bank
--

COPY public.enterprises (id, policy, policy_version) FROM stdin;
bank	{"minimumTokenDigits": 6}	1
\.


--
-- Data for Name: imports; Type: TABLE DATA; Schema: public; Owner: bank
--

COPY public.imports (name, line, digest, accounts, tokens, rejected) FROM stdin;
\.


--
-- Data for Name: logins; Type: TABLE DATA; Schema: public; Owner: bank
--

COPY public.logins (id, enterprise, account_type, account_id, device, type, data_digest, granted, redeemed) FROM stdin;
01a3418f300091cd48dcb81b462963f9	bank	main	4711	\\xa34661effbf867fc179dd7b02774cb04	userPIN	\\x0707070707070707070707070707070707070707070707070707070707070707	1800691200000	\N
\.


--
-- Data for Name: outbox; Type: TABLE DATA; Schema: public; Owner: bank
--

COPY public.outbox (sequence, target, device, enterprise, account_type, account_id, subject, tries, started, due, state) FROM stdin;
5	1	\\x	bank	main	4711	a34661effbf867fc179dd7b02774cb04	0	1800000000000	1800000000000	0
9	1	\\x	bank	main	4711	01a3185c5000fe93b21d1bc41d2b6c13	0	1800000000000	\N	0
11	1	\\x	bank	main	4711	01a3185c50007f5cff15171d1c8904e5	0	1800000000000	\N	0
12	1	\\x	bank	main	4711	01a3185c50007f5cff15171d1c8904e5	0	1800000000000	\N	0
17	1	\\x	bank	main	4712	3723587e861d896d01df8955d113f337	0	1800000000000	1800000000000	0
18	1	\\x	bank	main	4711	c0fca19a42054d37d7ad49bda16080f5	0	1800000000000	\N	0
22	1	\\x	bank	main	4714	b84d4c9eb79829dbad53526dbb299545	0	1800000000000	1800000000000	0
25	1	\\x	bank	main	4715	10855a5d9274c8370e9ae66945e49a13	0	1800000000000	1800000000000	0
\.


--
-- Data for Name: rejected_rows; Type: TABLE DATA; Schema: public; Owner: bank
--

COPY public.rejected_rows (import, line, reason) FROM stdin;
\.


--
-- Data for Name: transactions; Type: TABLE DATA; Schema: public; Owner: bank
--

COPY public.transactions (id, enterprise, account_type, account_id, canonical_bytes, accepted_authentication, created, deadline, number, state, closed, device, detail, evidence) FROM stdin;
01a3418f3000b55e8f0a8cf20bb5c448	bank	main	4711	\\x4353545801010000000462616e6b0200000020303161333431386633303030623535653866306138636632306262356334343803000000046d61696e04000000043437313105000000010106000000085472616e73666572070000000100080000000d014555520200000000000012670900000025010000000647726f63657200000016444538393337303430303434303533323031333030300a000000000b000000000c00000001020d00000008000001a3418f30000e00000008000001a3419104c00f00000008000000000000000010000000108b27d18b7b87ef5ed1e1ce287b6f81f8	2	1800691200000	1800691320000	\N	0	\N	\N	\N	\N
\.


--
-- Data for Name: verifier; Type: TABLE DATA; Schema: public; Owner: bank
--

COPY public.verifier (id, store_id, epoch, audit_sequence, audit_moment, audit_hash, fingerprint_key, minimum_key_version, is_backup) FROM stdin;
1	\\x38e970bc0501164a6dc1200aea55c43e	0	29	1800691200000	\\x7073aaa83138944a89dafd4dbacf098c28f782867df5f19364540c1b3a0142cb	\\x010000000156c416c5569b2f6e344c9348d3fae518d87b914f7ef0eb66e4266bbf6dba02fab090339159d560b6589113550f227042ed82642699174213dc073ea4	0	0
\.


--
-- Name: accounts accounts_pkey; Type: CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.accounts
    ADD CONSTRAINT accounts_pkey PRIMARY KEY (enterprise, type, id);


--
-- Name: activations activations_pkey; Type: CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.activations
    ADD CONSTRAINT activations_pkey PRIMARY KEY (id);


--
-- Name: archived_transactions archived_transactions_pkey; Type: CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.archived_transactions
    ADD CONSTRAINT archived_transactions_pkey PRIMARY KEY (id);


--
-- Name: attempts attempts_pkey; Type: CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.attempts
    ADD CONSTRAINT attempts_pkey PRIMARY KEY (device, id);


--
-- Name: audit audit_pkey; Type: CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.audit
    ADD CONSTRAINT audit_pkey PRIMARY KEY (sequence);


--
-- Name: bank_calls bank_calls_pkey; Type: CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.bank_calls
    ADD CONSTRAINT bank_calls_pkey PRIMARY KEY (enterprise, idempotency_key);


--
-- Name: bank_tokens bank_tokens_name_key; Type: CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.bank_tokens
    ADD CONSTRAINT bank_tokens_name_key UNIQUE (name);


--
-- Name: bank_tokens bank_tokens_pkey; Type: CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.bank_tokens
    ADD CONSTRAINT bank_tokens_pkey PRIMARY KEY (id);


--
-- Name: countersign_commits countersign_commits_pkey; Type: CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.countersign_commits
    ADD CONSTRAINT countersign_commits_pkey PRIMARY KEY (writer);


--
-- Name: countersign_store countersign_store_pkey; Type: CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.countersign_store
    ADD CONSTRAINT countersign_store_pkey PRIMARY KEY (id);


--
-- Name: credentials credentials_pkey; Type: CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.credentials
    ADD CONSTRAINT credentials_pkey PRIMARY KEY (device, kind);


--
-- Name: devices devices_pkey; Type: CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.devices
    ADD CONSTRAINT devices_pkey PRIMARY KEY (id);


--
-- Name: enterprises enterprises_pkey; Type: CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.enterprises
    ADD CONSTRAINT enterprises_pkey PRIMARY KEY (id);


--
-- Name: imports imports_pkey; Type: CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.imports
    ADD CONSTRAINT imports_pkey PRIMARY KEY (name);


--
-- Name: logins logins_pkey; Type: CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.logins
    ADD CONSTRAINT logins_pkey PRIMARY KEY (id);


--
-- Name: outbox outbox_pkey1; Type: CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.outbox
    ADD CONSTRAINT outbox_pkey1 PRIMARY KEY (sequence, target, device);


--
-- Name: rejected_rows rejected_rows_pkey; Type: CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.rejected_rows
    ADD CONSTRAINT rejected_rows_pkey PRIMARY KEY (import, line);


--
-- Name: transactions transactions_pkey; Type: CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.transactions
    ADD CONSTRAINT transactions_pkey PRIMARY KEY (id);


--
-- Name: verifier verifier_pkey; Type: CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.verifier
    ADD CONSTRAINT verifier_pkey PRIMARY KEY (id);


--
-- Name: accounts_of_person; Type: INDEX; Schema: public; Owner: bank
--

CREATE INDEX accounts_of_person ON public.accounts USING btree (enterprise, person) WHERE (person IS NOT NULL);


--
-- Name: activations_closed; Type: INDEX; Schema: public; Owner: bank
--

CREATE INDEX activations_closed ON public.activations USING btree (closed) WHERE (closed IS NOT NULL);


--
-- Name: activations_of_account; Type: INDEX; Schema: public; Owner: bank
--

CREATE INDEX activations_of_account ON public.activations USING btree (enterprise, account_type, account_id);


--
-- Name: activations_open; Type: INDEX; Schema: public; Owner: bank
--

CREATE INDEX activations_open ON public.activations USING btree (deadline) WHERE (closed IS NULL);


--
-- Name: archived_transactions_of_account; Type: INDEX; Schema: public; Owner: bank
--

CREATE INDEX archived_transactions_of_account ON public.archived_transactions USING btree (enterprise, account_type, account_id, created);


--
-- Name: attempts_made; Type: INDEX; Schema: public; Owner: bank
--

CREATE INDEX attempts_made ON public.attempts USING btree (created);


--
-- Name: bank_calls_made; Type: INDEX; Schema: public; Owner: bank
--

CREATE INDEX bank_calls_made ON public.bank_calls USING btree (created);


--
-- Name: credentials_counted_with; Type: INDEX; Schema: public; Owner: bank
--

CREATE INDEX credentials_counted_with ON public.credentials USING btree (counting_device) WHERE (counting_device IS NOT NULL);


--
-- Name: devices_of_account; Type: INDEX; Schema: public; Owner: bank
--

CREATE INDEX devices_of_account ON public.devices USING btree (enterprise, account_type, account_id);


--
-- Name: devices_revoked_tokens; Type: INDEX; Schema: public; Owner: bank
--

CREATE INDEX devices_revoked_tokens ON public.devices USING btree (enterprise, name) WHERE ((token_suite IS NOT NULL) AND (status = 3));


--
-- Name: devices_tokens; Type: INDEX; Schema: public; Owner: bank
--

CREATE UNIQUE INDEX devices_tokens ON public.devices USING btree (enterprise, name) WHERE ((token_suite IS NOT NULL) AND (status <> 3));


--
-- Name: logins_granted; Type: INDEX; Schema: public; Owner: bank
--

CREATE INDEX logins_granted ON public.logins USING btree (granted);


--
-- Name: outbox_dead; Type: INDEX; Schema: public; Owner: bank
--

CREATE INDEX outbox_dead ON public.outbox USING btree (enterprise, sequence) WHERE (state = 2);


--
-- Name: outbox_delivered; Type: INDEX; Schema: public; Owner: bank
--

CREATE INDEX outbox_delivered ON public.outbox USING btree (due) WHERE (state = 1);


--
-- Name: outbox_due; Type: INDEX; Schema: public; Owner: bank
--

CREATE INDEX outbox_due ON public.outbox USING btree (target, due) WHERE ((state = 0) AND (due IS NOT NULL));


--
-- Name: outbox_of_account; Type: INDEX; Schema: public; Owner: bank
--

CREATE INDEX outbox_of_account ON public.outbox USING btree (enterprise, account_type, account_id, target, sequence) WHERE (state = 0);


--
-- Name: transactions_closed; Type: INDEX; Schema: public; Owner: bank
--

CREATE INDEX transactions_closed ON public.transactions USING btree (closed) WHERE (closed IS NOT NULL);


--
-- Name: transactions_of_account; Type: INDEX; Schema: public; Owner: bank
--

CREATE INDEX transactions_of_account ON public.transactions USING btree (enterprise, account_type, account_id, created);


--
-- Name: transactions_pending; Type: INDEX; Schema: public; Owner: bank
--

CREATE INDEX transactions_pending ON public.transactions USING btree (deadline) WHERE (closed IS NULL);


--
-- Name: accounts accounts_enterprise_fkey; Type: FK CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.accounts
    ADD CONSTRAINT accounts_enterprise_fkey FOREIGN KEY (enterprise) REFERENCES public.enterprises(id);


--
-- Name: activations activations_enterprise_account_type_account_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.activations
    ADD CONSTRAINT activations_enterprise_account_type_account_id_fkey FOREIGN KEY (enterprise, account_type, account_id) REFERENCES public.accounts(enterprise, type, id);


--
-- Name: bank_tokens bank_tokens_enterprise_fkey; Type: FK CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.bank_tokens
    ADD CONSTRAINT bank_tokens_enterprise_fkey FOREIGN KEY (enterprise) REFERENCES public.enterprises(id);


--
-- Name: credentials credentials_device_fkey; Type: FK CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.credentials
    ADD CONSTRAINT credentials_device_fkey FOREIGN KEY (device) REFERENCES public.devices(id);


--
-- Name: devices devices_enterprise_account_type_account_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.devices
    ADD CONSTRAINT devices_enterprise_account_type_account_id_fkey FOREIGN KEY (enterprise, account_type, account_id) REFERENCES public.accounts(enterprise, type, id);


--
-- Name: rejected_rows rejected_rows_import_fkey; Type: FK CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.rejected_rows
    ADD CONSTRAINT rejected_rows_import_fkey FOREIGN KEY (import) REFERENCES public.imports(name);


--
-- Name: transactions transactions_enterprise_account_type_account_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.transactions
    ADD CONSTRAINT transactions_enterprise_account_type_account_id_fkey FOREIGN KEY (enterprise, account_type, account_id) REFERENCES public.accounts(enterprise, type, id);


--
-- PostgreSQL database dump complete
--

\unrestrict 1GteAfFE4UxLf7s7DIrvw9UGWmsiZNkAyqrVAVzCxO0HHwLDermqHQgd0ByJATN

