"""The journey of a bank with the client of openapi-python-client; prints "done"."""
import importlib

import generators
import journey


class Refused(Exception):
    def __init__(self, problem):
        super().__init__(problem.title)
        self.problem = problem


class Client:
    def __init__(self, package, known):
        self.package = package
        self.known = known
        self.models = importlib.import_module(package.__name__ + ".models")

    def call(self, operation, *values, token="issuer", **members):
        """Calls an operation; a problem is an exception."""
        module = importlib.import_module(f"{self.package.__name__}.api.bank.{operation}")
        authority = self.known.get("authority")
        client = self.package.AuthenticatedClient(
            base_url=self.known["origin"], token=self.known[token] if token else "none",
            verify_ssl=generators.trust(authority) or True, httpx_args={"trust_env": False},
            timeout=75)
        with client:
            found = module.sync_detailed(*values, client=client, **members).parsed
        if isinstance(found, self.models.BankProblem):
            raise Refused(found)
        return found

    def problem(self, name, *values, **role):
        """The problem document of a call that the verifier refuses."""
        try:
            getattr(self, name)(*values, **role)
        except Refused as error:
            return error.problem
        raise SystemExit(f"{name}{values} is accepted")

    def create_enterprise(self, enterprise, policy, token="administrator"):
        body = self.models.Policy.from_dict(policy)
        return self.call("create_enterprise", enterprise, body=body, token=token).id

    def policy_look_ahead(self, enterprise):
        return self.call("show_policy", enterprise).look_ahead

    def add_account(self, enterprise, account):
        return self.call("add_account", enterprise, "main", account)

    def issue_activation(self, enterprise, account, key):
        return self.call("issue_activation", enterprise, "main", account,
                         body=self.models.NewActivation(), idempotency_key=key)

    def list_activations(self, enterprise, account):
        return self.call("list_activations", enterprise, "main", account).activations

    def activation_text(self, enterprise, account, activation):
        return self.call("show_activation_text", enterprise, "main", account, activation)

    def list_devices(self, enterprise, account, token="issuer"):
        return self.call("list_devices", enterprise, "main", account, token=token).devices

    def request_transaction(self, enterprise, account, content, key):
        return self.call("request_transaction", enterprise, "main", account,
                         body=self.models.TransactionContent.from_dict(content),
                         idempotency_key=key)

    def show_transaction(self, enterprise, account, transaction, wait):
        return self.call("show_transaction", enterprise, "main", account, transaction, wait=wait)

    def withdraw(self, enterprise, account, transaction):
        self.call("withdraw_transaction", enterprise, "main", account, transaction)

    def list_transactions(self, enterprise, account, limit, before):
        page = {} if before is None else {"before": before}
        return self.call("list_transactions", enterprise, "main", account, limit=limit, **page)

    def following(self, page):
        return page.next_

    def event(self, value):
        return self.models.WebhookEvent.from_dict(value)

    def read_problem(self, value):
        return self.models.BankProblem.from_dict(value)


journey.travel("openapi-python-client", generators.openapi_python_client, Client)
